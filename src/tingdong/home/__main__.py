"""Checks the tables of a home after an edit of them or of kinds.yaml: `python -m tingdong.home` (`make vocabulary`)."""

from tingdong.errors import DataError
from tingdong.home.vocabulary import kinds, roles, values

if __name__ == "__main__":
    try:
        for _table in (kinds, roles, values):
            _table()
    except DataError as _fault:
        raise SystemExit(str(_fault)) from None
