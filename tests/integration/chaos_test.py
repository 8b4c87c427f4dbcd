"""Property: whatever several clients ask for in whatever order, while hosts are killed and turns crash, every request
is answered exactly once, nobody is stuck, and a restart finds the same worlds. The seed is printed; WARREN_SEED=N
repeats a run, as far as processes can be made to repeat themselves."""

import contextlib
import os
import random
import signal
import unittest

from daemon import BUILD, Client, Daemon, Refused, messages, wait_for

SEED = int(os.environ.get("WARREN_SEED") or random.SystemRandom().randrange(2 ** 32))
COUNT, CRASH, SLOW, DIE_SLOWLY, WIN, QUIT = 1, 2, 4, 5, 6, 9
STEPS = 1500


class Actor:
    """A client that sends without waiting, and books what has been answered."""

    def __init__(self, daemon, name, chance):
        self.client = Client(daemon, name)
        self.chance = chance
        self.asked = {}
        self.void = set()
        self.answered = {}
        self.here = {}
        self.next_id = 1000

    def ask(self, **body):
        self.asked[self.next_id] = next(iter(body))
        self.client.send(self.next_id, **body)
        self.next_id += 1

    def listen(self):
        for reply in self.client.take_news():
            if reply.id >= 1000:
                self.answered.setdefault(reply.id, []).append(reply)
            if reply.HasField("joined") and reply.joined.view_key not in self.client.keys:
                self.client._enter(reply.joined)
            if reply.HasField("joined") and reply.joined.HasField("seat"):
                self.here[reply.joined.world] = reply.joined.next_command
        self.client.news.clear()
        self.client.take_updates()

    def command(self, action):
        if self.here:
            world = self.chance.choice(list(self.here))
            self.client.send(command=messages.Command(world=world, number=self.here[world], action=action))
            self.here[world] += 1

    def begin_anew(self):
        """Another session: what the one before still waited for is void, and may be answered or not."""
        self.void.update(self.asked)
        self.ask(hello=messages.Hello(protocol_min=1, protocol_max=1, player=f"again{self.next_id}"))

    def keep_step(self):
        """Waits until all that it sent was taken."""
        with contextlib.suppress(Refused):
            self.client.alive()
        self.listen()

    def unanswered(self):
        return [number for number in self.asked if number not in self.answered and number not in self.void]

    def act(self, names, worlds):
        roll = self.chance.random()
        world = self.chance.choice(worlds) if worlds else 1
        name = self.chance.choice(names)
        if roll < 0.10:
            self.ask(create=messages.CreateWorld(mode="fragile", name=name))
        elif roll < 0.25:
            self.ask(join=messages.JoinWorld(world=name))
        elif roll < 0.30:
            self.ask(watch=messages.WatchWorld(world=name))
        elif roll < 0.37:
            self.ask(leave=messages.LeaveWorld(world=world))
        elif roll < 0.40:
            self.ask(close=messages.CloseWorld(world=name))
        elif roll < 0.48:
            self.ask(say=messages.Say(world=world, text="what now?"))
        elif roll < 0.53:
            self.ask(resync=messages.Resync(world=world))
        elif roll < 0.56:
            self.ask(list_worlds=messages.ListWorlds())
        elif roll < 0.58:
            self.begin_anew()
        elif roll < 0.60:
            self.ask(ping=messages.Ping())
        else:
            self.command(self.chance.choices([COUNT, SLOW, DIE_SLOWLY, CRASH, QUIT, WIN], [60, 2, 3, 1, 1, 1])[0])


class Chaos(unittest.TestCase):
    def setUp(self):
        print(f"WARREN_SEED={SEED}", flush=True)
        self.chance = random.Random(SEED)

    def worlds(self, daemon):
        with Client(daemon) as client:
            return client.request(list_worlds=messages.ListWorlds()).worlds.worlds

    def assert_settled(self, daemon, actors):
        def all_answered():
            for actor in actors:
                actor.listen()
            return not any(actor.unanswered() for actor in actors)
        try:
            wait_for(all_answered, "all answers")
        except AssertionError:
            missing = [(a.client.welcome.player, n, a.asked[n]) for a in actors for n in a.unanswered()]
            self.fail(f"never answered, seed {SEED}: {missing}")
        for actor in actors:
            actor.client.alive()
            actor.listen()
            twice = {n: a for n, a in actor.answered.items() if len(a) > 1}
            self.assertEqual(twice, {}, f"seed {SEED}")
        starting = lambda: [w.name for w in self.worlds(daemon) if w.state == messages.WORLD_STARTING]
        wait_for(lambda: not starting(), f"all worlds to be served, seed {SEED}")

    def assert_playable(self, daemon, actors):
        """Nobody is stuck: each can still play, in a world that is open to all."""
        with Client(daemon, "host") as host:
            host.create("fragile", name="afterwards")
            for actor in actors:
                client = actor.client
                client.request(hello=messages.Hello(protocol_min=1, protocol_max=1, player="fresh"))
                view = client.join("afterwards")
                client.wait(lambda view=view: view.sequence is not None, "the view")
                client.play(view, COUNT)
                self.assertEqual(view.fields[1].number, 1, f"seed {SEED}")
                client.request(leave=messages.LeaveWorld(world=view.joined.world))
            host.request(close=messages.CloseWorld(world="afterwards"))

    def run_chaos(self, kills):
        settings = ["hosts.restarts=15", "hosts.restart_window_s=1", "store.snapshot_turns=20",
                    "limits.keyframes_per_second=100"]
        with Daemon(settings, modes=f"{BUILD}/fragile-modes") as daemon:
            actors = [Actor(daemon, f"actor{number}", self.chance) for number in range(5)]
            for actor in actors:
                self.addCleanup(actor.client.close)
            names = ["one", "two", "three"]
            for step in range(STEPS):
                actor = self.chance.choice(actors)
                actor.act(names, list({w for a in actors for w in a.here}))
                if self.chance.random() < 0.3:
                    self.chance.choice(actors).listen()
                if self.chance.random() < 0.05:
                    actor.keep_step()
                if kills and step % 100 == 99:
                    pid = daemon.host_pid("fragile")
                    with contextlib.suppress(ProcessLookupError):
                        if pid:
                            os.kill(pid, signal.SIGKILL)
            self.assert_settled(daemon, actors)
            failure = daemon.host("fragile").failure
            self.assertFalse(failure, f"seed {SEED}: {failure}")
            self.assert_playable(daemon, actors)
            before = {w.name: (w.id, w.turn) for w in self.worlds(daemon)}
            self.assertEqual(daemon.stop(signal.SIGTERM), 0)
            daemon.start()
            self.assertEqual({w.name: (w.id, w.turn) for w in self.worlds(daemon)}, before, f"seed {SEED}")

    def test_every_request_is_answered_once_and_nobody_is_stuck(self):
        self.run_chaos(kills=False)

    def test_the_same_while_hosts_are_killed(self):
        self.run_chaos(kills=True)


if __name__ == "__main__":
    unittest.main()
