"""`python -m tingdong` is the command line."""

from tingdong.cli import main

if __name__ == "__main__":
    main()
