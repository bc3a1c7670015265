"""The files for hosting agree with each other and with the project."""

import re
from pathlib import Path

import yaml

from tests.benchmarks.two_copies import COPIES, caddyfile

ROOT = Path(__file__).resolve().parents[1]
HEALTH = "/_stcore/health"
LARGEST_PLAIN_FILE = 10 * 2**20  # bytes that a Space takes without Git LFS
LONGEST_DESCRIPTION = 60  # characters of a Space's short description
DOCKERFILE, COMPOSE, HOSTING = ((ROOT / name).read_text() for name in ("Dockerfile", "compose.yaml", "docs/hosting.md"))


def test_the_image_holds_what_the_app_needs_and_nothing_else() -> None:
    copied = set(re.findall(r"^COPY (\S+) \S+$", DOCKERFILE, re.MULTILINE))
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert copied == {"app.py", "requirements.txt", ".streamlit", "core", "pages", "assets"}
    assert {line[1:] for line in ignored if line.startswith("!")} == copied and ignored[0] == "*"
    assert all((ROOT / name).exists() for name in copied) and ".streamlit/secrets.toml" in ignored


def test_the_image_runs_as_an_ordinary_user_and_tells_how_it_is() -> None:
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert int(user) > 0 and f"--uid {user} " in DOCKERFILE.split("WORKDIR")[0]
    assert HEALTH in DOCKERFILE.split("HEALTHCHECK")[1] and "run" in DOCKERFILE.split("CMD")[-1]


def test_a_space_finds_the_port_and_takes_the_large_files() -> None:
    space = ROOT / "deploy/space"
    head = dict(line.split(": ", 1) for line in (space / "README.md").read_text().split("---\n")[1].splitlines())
    assert head["sdk"] == "docker" and head["app_port"] == DOCKERFILE.split("EXPOSE ")[1].split()[0]
    assert len(head["short_description"]) <= LONGEST_DESCRIPTION
    rules = (space / ".gitattributes").read_text().splitlines()
    stored = {line.split()[0].removeprefix("*") for line in rules if " filter=lfs " in line}
    files = (path for path in (ROOT / "assets").rglob("*") if path.is_file())
    large = [path for path in files if path.stat().st_size > LARGEST_PLAIN_FILE]
    assert large and all(path.suffix in stored for path in large)
    assert "USER 1000\n" in DOCKERFILE and "https://huggingface.co" in (ROOT / ".streamlit/config.toml").read_text()
    for name in ("README.md", ".gitattributes"):
        assert f"deploy/space/{name}" in HOSTING


def test_the_proxy_knows_the_copies_and_keeps_visitors_with_them() -> None:
    services = COMPOSE.split("\nservices:\n")[1].split("\nnetworks:")[0]
    port = DOCKERFILE.split("EXPOSE ")[1].split()[0]
    assert [f"{name}:{port}" for name in re.findall(r"^  ([\w-]+): \*explorer$", services, re.MULTILINE)] == [*COPIES]
    said = caddyfile([1001, 1002])
    assert "reverse_proxy 127.0.0.1:1001 127.0.0.1:1002 {" in said and said.startswith("{$SITE}\n")
    assert "/class" not in said  # a class lives in the Redis of all copies
    (redis,) = re.findall(r"ATTENTION_EXPLORER_REDIS: redis://([\w-]+):6379/0\n", COMPOSE)
    assert re.search(rf"^  {redis}:\n +image: valkey/valkey:", services, re.MULTILINE)
    assert "handle_errors {" in said and 'http-equiv="refresh"' in said
    assert "lb_policy cookie" in said and f"health_uri {HEALTH}" in said
    assert re.search(r"inside:\n +internal: true", COMPOSE)


def test_kubernetes_runs_the_same_copies_behind_the_same_ways() -> None:
    things = list(yaml.safe_load_all((ROOT / "deploy/kubernetes/explorer.yaml").read_text()))
    by_kind = {thing["kind"]: thing for thing in things if thing["metadata"]["name"] == "explorer"}
    services = {thing["metadata"]["name"]: thing["spec"] for thing in things if thing["kind"] == "Service"}
    copies = by_kind["Deployment"]["spec"]["template"]["spec"]
    (container,) = copies["containers"]
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert copies["securityContext"]["runAsNonRoot"] and copies["securityContext"]["runAsUser"] == int(user)
    inner = container["securityContext"]
    assert inner["readOnlyRootFilesystem"] and not inner["allowPrivilegeEscalation"]
    assert inner["capabilities"] == {"drop": ["ALL"]}
    assert container["ports"][0]["containerPort"] == int(DOCKERFILE.split("EXPOSE ")[1].split()[0])
    assert container["readinessProbe"]["httpGet"]["path"] == HEALTH
    memory = {each["name"]: each["value"] for each in container["env"]}["ATTENTION_EXPLORER_MEMORY_MIB"]
    assert f'ATTENTION_EXPLORER_MEMORY_MIB: "{memory}"' in COMPOSE
    labels = by_kind["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert services["explorer"]["selector"] == labels == by_kind["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]
    stated = {each["name"]: each["value"] for each in container["env"]}
    (redis,) = re.findall("^redis://(.+):6379/0$", stated["ATTENTION_EXPLORER_REDIS"])
    assert services[redis]["ports"][0]["port"] == 6379
    (stored,) = [thing["spec"]["template"] for thing in things if thing["kind"] == "StatefulSet"]
    assert services[redis]["selector"] == stored["metadata"]["labels"]
    assert f"image: {stored['spec']['containers'][0]['image']}\n" in COMPOSE
    (way_out,) = [each for each in by_kind["NetworkPolicy"]["spec"]["egress"] if "to" in each]
    assert way_out["to"][0]["podSelector"]["matchLabels"] == stored["metadata"]["labels"]
    scaled = by_kind["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (scaled["kind"], scaled["name"]) == ("Deployment", "explorer")


def test_the_line_for_a_plain_torch_is_of_the_version_that_is_asked_for() -> None:
    (asked,) = re.findall(r"^torch==(\S+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    (line,) = re.findall(r"^ *torch @ (\S+)$", HOSTING, re.MULTILINE)
    assert f"/cpu/torch-{asked}%2Bcpu-cp312-cp312-" in line and f"`torch=={asked}`" in HOSTING
