"""Open questions about a home, answered by a language model from injected data (retrieval.md, YAML; service.md, Scene).

`Answerer` asks and validates; `prompt` puts the prompt together, `claims` says what an answer may hold.
Nothing is imported here: who serves without a language model needs the types (`model`) alone.
"""
