"""The public interface: a sentence, a home, a front desk, without a service.

It needs no network, model or settings. Each function has an asynchronous twin with the prefix `a`; the plain one also
works inside a running event loop (a notebook). The modules are independent and loaded on use; `import tingdong` has all
names.
"""
