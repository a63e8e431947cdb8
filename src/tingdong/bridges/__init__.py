"""Bridges to where users already are: agents (MCP, tools, prompts), platforms, voice (architecture, Layout).

A bridge translates; it decides nothing. Whatever comes in is checked as the service checks it, whatever goes out was
validated against the home.
"""
