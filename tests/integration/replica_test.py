"""Property: whatever is done in a world and whatever a client misses, its replica comes to equal what the host shows.
The seed is printed; WARREN_SEED=N repeats a run."""

import os
import random
import unittest

from daemon import BUILD, Client, Daemon, View, messages

SEED = int(os.environ.get("WARREN_SEED") or random.SystemRandom().randrange(2 ** 32))
ROUNDS = 120


class Player:
    """A client that plays at random and does not hear everything."""

    def __init__(self, daemon, name, world, chance, watching):
        self.chance = chance
        self.client = Client(daemon, name)
        self.watching = watching
        self.world = world
        self.view = self.client.watch(world) if watching else self.client.join(world)
        self.subscribed = True

    def listen(self, loss):
        self.client.take_updates(drop=lambda: self.chance.random() < loss)

    def act(self):
        mode, identity = self.view.joined.mode, self.view.joined.world
        roll = self.chance.random()
        if roll < 0.05:
            self.client.send(self.client.next_id, resync=messages.Resync(world=identity))
            self.client.next_id += 1
        elif roll < 0.10:
            flip = self.client.updates.unsubscribe if self.subscribed else self.client.updates.subscribe
            flip(self.view.joined.view_key)
            self.subscribed = not self.subscribed
        elif roll < 0.15:
            self.client.send(self.client.next_id, say=messages.Say(world=identity, text=f"word {self.chance.random()}"))
            self.client.next_id += 1
        elif roll < 0.18 and not self.watching:
            self.client.request(leave=messages.LeaveWorld(world=identity))
            self.view = self.client.join(self.world)
            self.client.take_news()
            self.client.news.clear()  # errors about the numbers of the seat that was left
            self.subscribed = True
        elif not self.watching:
            action = self.chance.choice(mode.actions)
            argument = self.chance.randrange(9) if action.argument == messages.ARGUMENT_DIRECTION else 0
            self.client.command(self.view, action.id, argument)

    def settle(self):
        """What a client does that wants to be right: subscribes, asks for a keyframe if something is missing, waits."""
        if not self.subscribed:
            self.client.updates.subscribe(self.view.joined.view_key)
            self.subscribed = True
        last = 0 if self.watching else self.client.numbers[self.view.joined.world] - 1

        def right():
            """Pong tells how far the view is: whatever else the replica has is asked for. (A higher number than Pong's
            may be of a host that died: the next one begins anew with low ones, and its keyframe may have been lost.)"""
            pong = self.client.request(ping=messages.Ping()).pong
            sequence = next(p.sequence for p in pong.views if p.world == self.view.joined.world)
            self.client.take_updates()
            if self.view.gap or self.view.sequence != sequence:
                self.client.request(resync=messages.Resync(world=self.view.joined.world))
                return False
            return max([self.view.executed, *self.client.command_errors()]) >= last  # a killed host's turn is refused
        self.client.wait(right, f"{self.client.welcome.player}'s view to be right and command {last} executed")

    def fresh(self):
        """The host's view, by a keyframe that nothing came before."""
        view = View(self.view.joined)
        self.client.keys[self.view.joined.view_key] = view
        self.client.request(resync=messages.Resync(world=self.view.joined.world))
        self.client.wait(lambda: view.sequence is not None, "a keyframe")
        return view


class Replica(unittest.TestCase):
    def setUp(self):
        print(f"WARREN_SEED={SEED}", flush=True)
        self.chance = random.Random(SEED)

    def crowd(self, daemon, world, names, watchers):
        players = [Player(daemon, name, world, self.chance, False) for name in names]
        players += [Player(daemon, name, world, self.chance, True) for name in watchers]
        for player in players:
            self.addCleanup(player.client.close)
            player.client.wait(lambda player=player: player.view.sequence is not None, "the first keyframe")
        return players

    def assert_right(self, players):
        for player in players + players:  # while the first waits, the others' commands still change its view
            player.settle()
        for player in players:
            fresh = player.fresh()
            self.assertEqual(player.view.picture(), fresh.picture(), f"{player.client.welcome.player}, seed {SEED}")
            self.assertEqual((player.view.focus, player.view.banner), (fresh.focus, fresh.banner), f"seed {SEED}")
            player.client.keys[player.view.joined.view_key] = player.view = fresh

    def test_a_replica_equals_the_host_s_view_after_random_turns_losses_and_resyncs(self):
        with Daemon(["limits.keyframes_per_second=100"]) as daemon, Client(daemon, "owner") as owner:
            owner.create(name="wild", seed=self.chance.randrange(2 ** 63), width=30, height=20, lichens=20, bunnies=6,
                         silverfish=4, growth_permille=20, overrun=100, lichen_hp=2)
            players = self.crowd(daemon, "wild", ("ann", "bob", "cyd"), ("wat", "wim"))
            for loss in (0.0, 0.3, 0.05):
                for _ in range(ROUNDS):
                    player = self.chance.choice(players)
                    player.act()
                    self.chance.choice(players).listen(loss)
                self.assert_right(players)

    def test_replicas_survive_hosts_that_are_killed_meanwhile(self):
        with Daemon(["limits.keyframes_per_second=100", "hosts.restarts=15"]) as daemon, \
                Client(daemon, "owner") as owner:
            owner.create(name="wild", seed=self.chance.randrange(2 ** 63), width=24, height=16, lichens=10, bunnies=4,
                         silverfish=4, overrun=100, lichen_hp=3)
            players = self.crowd(daemon, "wild", ("ann", "bob"), ("wat",))
            for _ in range(3):
                for _ in range(30):
                    self.chance.choice(players).act()
                    self.chance.choice(players).listen(0.1)
                before = daemon.host_pid()
                if before:
                    os.kill(before, 9)
                for _ in range(10):
                    self.chance.choice(players).act()
                self.assert_right(players)

    def test_players_in_many_worlds_at_a_time_keep_them_apart(self):
        with Daemon(modes=f"{BUILD}/modes") as daemon, Client(daemon, "ann") as ann:
            views = []
            for number in range(6):
                name = ann.create(seed=number, width=16 + number, height=16, lichens=5).name
                views.append(ann.join(name))
            for _ in range(60):
                view = self.chance.choice(views)
                ann.command(view, 1, self.chance.randrange(9))
            for view in views:
                last = ann.numbers[view.joined.world] - 1
                ann.wait(lambda view=view, last=last: view.executed >= last, "the commands")
            for number, view in enumerate(views):
                self.assertEqual((view.width, view.gap), (16 + number, False))
                ann.drain(view)
                fresh = ann.keys[view.joined.view_key] = View(view.joined)
                ann.request(resync=messages.Resync(world=view.joined.world))
                ann.wait(lambda fresh=fresh: fresh.sequence is not None, "a keyframe")
                self.assertEqual(view.picture(), fresh.picture())


if __name__ == "__main__":
    unittest.main()
