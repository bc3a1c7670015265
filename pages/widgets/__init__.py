"""The parts, controls and settings that the pages of all topics share."""

from pages.widgets.chart import ZOOM_HINT, Chart, spec
from pages.widgets.parts import (
    SAME_RUN,
    Button,
    Caption,
    Cards,
    ChoiceForm,
    Choices,
    Columns,
    Download,
    Link,
    Markdown,
    Message,
    Notes,
    Part,
    PlainLink,
    Popover,
    ProgressBar,
    Row,
    SettingPart,
    Takeaway,
    TextArea,
    ToPage,
    draw_all,
    labels_of,
    read_only,
)
from pages.widgets.place import ATTENTION, HEAD, LAYER, PLACE, head_of, head_picked, layer_of, place_controls, place_of
from pages.widgets.player import DrawAgain, Player, StopPlayer, playing, stop_player
from pages.widgets.progress import JobButton, JobNeeded, JobSwitch, job_result, no_new_jobs, visit_job
from pages.widgets.setting import (
    MOST_BUTTONS,
    PRESENT,
    Control,
    Setting,
    Values,
    control,
    draw_widget,
    fitted,
)
from pages.widgets.source import show_source
from pages.widgets.table import AnyTable, Cell, Listing, Numbers, Table, data_table
from pages.widgets.terms import GLOSSARY, TERM_KEY, explained
from pages.widgets.words import error_boundary, formula, notes, plain, takeaway
