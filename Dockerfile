# Attention Explorer in a container: everything is installed when the image is built, and nothing is fetched when it runs.
FROM python:3.11.13-slim-bookworm

RUN useradd --create-home --uid 1000 explorer
WORKDIR /app

COPY requirements.txt .
# The CPU build: the plain one brings gigabytes of CUDA.
RUN pip install --no-cache-dir --index-url https://download.pytorch.org/whl/cpu "$(grep ^torch== requirements.txt)" \
    && pip install --no-cache-dir -r requirements.txt

COPY .streamlit .streamlit
COPY app.py .
COPY core core
COPY pages pages
COPY assets assets
RUN python -m compileall -q app.py core pages

USER 1000
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["python", "-c", \
    "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=2)"]
CMD ["streamlit", "run", "app.py", "--server.address=0.0.0.0", "--server.port=8501", "--server.headless=true"]
