"""What a case is: a subject, a shape, and how one run of a size is measured."""

import shutil
from pathlib import Path

from measure import Sample, Server

ROOT = Path(__file__).resolve().parent.parent.parent


class Case:
    """One subject with inputs of one shape.

    `start` is the first size that is tried and `most` the largest, `short` whether `.ci/run` has it. The unit of a size is
    the shape's own: characters, rows, entries.
    """

    def __init__(self, subject, shape, start=64, most=1 << 24, short=False):
        self.subject = subject
        self.shape = shape
        self.start = start
        self.most = most
        self.short = short

    @property
    def name(self):
        return f"{self.subject}/{self.shape}"

    def folder(self, bench, size):
        folder = bench.folder / self.subject / self.shape.replace("/", "_") / str(size)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


class Command(Case):
    """A run of `b2c`. `write(folder, size, bench)` writes its input and may give the arguments."""

    def __init__(self, subject, shape, arguments, write, **bounds):
        super().__init__(subject, shape, **bounds)
        self.arguments = arguments
        self.write = write

    def sample(self, bench, size):
        folder = self.folder(bench, size)
        inside = folder / "input"
        inside.mkdir()
        arguments = self.write(inside, size, bench) or self.arguments
        written = sum(each.stat().st_size for each in inside.rglob("*") if each.is_file())
        # Next to the inputs, so that none of what is written beside them is read as one.
        sample = bench.command([word.replace("{}", str(inside)) for word in arguments], folder)
        sample.size = written or sum(map(len, arguments))
        return sample


class Conversation(Case):
    """Requests to a server of their own. `prepare` and `play` take the server and the size; `play` is measured."""

    def __init__(self, subject, shape, play, prepare=None, tenant=None, options=(), **bounds):
        super().__init__(subject, shape, **bounds)
        self.play = play
        self.prepare = prepare
        self.tenant = tenant
        self.options = options

    def sample(self, bench, size):
        folder = self.folder(bench, size)
        tenant = self.tenant(folder, size) if callable(self.tenant) else self.tenant
        sample = Sample()
        server = Server(bench, folder, tenant, self.options)
        try:
            given = self.prepare(server, size) if self.prepare else None
            server.refused = None
            with server.measured(sample):
                if self.prepare:
                    self.play(server, size, given)
                else:
                    self.play(server, size)
            if tenant:
                sample.size += tenant.stat().st_size
        finally:
            server.stop()
        return sample
