"""The public interface: a sentence, a home, a front desk, each in a few lines and without any service.

Everything here works on the embedded default: no network, no model, no settings. Each function has an asynchronous twin
whose name begins with `a`; the plain one may also be called where an event loop runs (a notebook). Each module stands
alone, so that a program loads only what it calls: `import tingdong` has all their names.
"""
