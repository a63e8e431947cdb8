"""Smart-home platforms and a home (service.md, Home), there and back; what a platform calls things is data.

Self-contained: this package imports nothing of TingDong, so that an integration on a platform's side can carry it.
"""
