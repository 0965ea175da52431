import type { Connection } from '../../../../nodes/engine/http/client';
import { errorForIdReport } from '../../../../nodes/engine/trigger/common/messages';
import { CredentialRejections } from '../../../../nodes/engine/trigger/common/rejections';
import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';
import { toReportError } from '../../../../nodes/engine/trigger/common/setup';
import type { IdTriggerSettings } from '../../../../nodes/engine/trigger/ids/settings';
import { QUIET_MS, Watcher } from '../../../../nodes/engine/watch';
import type { EndedId, IdReport, PollResult } from '../../../../nodes/engine/watch';
import { VirtualTime } from '../support/virtualTime';

class CredentialNotFoundError extends Error {}

const MINUTE = 60_000;
const REFUSED = 'That key is not good';
const settings: IdTriggerSettings = {
	enteredIds: [],
	acceptNewIds: false,
	outcomes: new Set(),
	watcherOptions: {},
	options: {},
	simplifies: true,
};

/** An n8n that holds one key, or none, and a service that takes one. */
class World {
	readonly time = new VirtualTime();
	held: string | undefined = 'a';
	taken = 'a';
	asked = 0;
	/** Poll result while the service accepts the key. */
	pollResult: () => PollResult = () => ({ kind: 'pending' });

	async rejections(known = false): Promise<CredentialRejections> {
		const now = () => this.time.at;
		return new CredentialRejections(
			await RenewedConnection.open(this.connect, known, now),
			known,
			now,
		);
	}

	/** Asks once. */
	async ask(rejections: CredentialRejections): Promise<PollResult> {
		return await rejections.poll(async ({ credential }) => {
			this.asked++;
			return credential.apiKey === this.taken
				? this.pollResult()
				: { kind: 'credentialRejected', message: REFUSED };
		});
	}

	private readonly connect = async () => {
		if (this.held === undefined) throw new CredentialNotFoundError();
		return { credential: { apiKey: this.held } } as unknown as Connection;
	};
}

describe('a rejected credential', () => {
	it('stops the trigger unless the rejection was already reported', async () => {
		const world = new World();
		const rejections = await world.rejections();
		world.taken = 'b';
		expect(await world.ask(rejections)).toEqual({ kind: 'credentialRejected', message: REFUSED });
		expect(await world.ask(rejections)).toEqual({ kind: 'credentialRejected', message: REFUSED });
		expect(rejections.isReported).toBe(false);
	});

	it('is treated like other failures once it was reported', async () => {
		const world = new World();
		const rejections = await world.rejections(true);
		world.taken = 'b';
		await world.time.pass(100 * MINUTE);
		expect(await world.ask(rejections)).toEqual({ kind: 'failed', message: REFUSED });
		expect(rejections.isReported).toBe(true);
	});

	it('is reported again after ten minutes without a rejection, and not before', async () => {
		const world = new World();
		const rejections = await world.rejections(true);
		const kindWith = async (taken: string) => {
			world.taken = taken;
			return (await world.ask(rejections)).kind;
		};
		await world.time.pass(MINUTE);
		expect(await kindWith('b')).toBe('failed');
		await world.time.pass(QUIET_MS - 1);
		expect(await kindWith('a')).toBe('pending');
		expect(await kindWith('b')).toBe('failed');
		await world.time.pass(QUIET_MS);
		// Time alone does not show that it was mended.
		expect(await kindWith('b')).toBe('failed');
		await world.time.pass(QUIET_MS);
		expect(await kindWith('a')).toBe('pending');
		expect(await kindWith('b')).toBe('credentialRejected');
	});

	it('counts as reported from the start of the trigger, not from the start of the computer', async () => {
		const world = new World();
		await world.time.pass(QUIET_MS);
		const rejections = await world.rejections(true);
		await world.ask(rejections);
		expect(rejections.isReported).toBe(true);
		await world.time.pass(QUIET_MS);
		await world.ask(rejections);
		expect(rejections.isReported).toBe(false);
	});
});

describe('a rejected credential that was replaced in n8n', () => {
	it.each([false, true])('only causes a pause (reported: %s)', async (known) => {
		const world = new World();
		const rejections = await world.rejections(known);
		[world.held, world.taken] = ['b', 'b'];
		expect(await world.ask(rejections)).toEqual({ kind: 'rateLimited', message: REFUSED });
		expect(await world.ask(rejections)).toEqual({ kind: 'pending' });
		expect(world.asked).toBe(2);
	});

	it('is rejected if the new one is rejected, too', async () => {
		const world = new World();
		const rejections = await world.rejections();
		[world.held, world.taken] = ['b', 'c'];
		expect(await world.ask(rejections)).toMatchObject({ kind: 'rateLimited' });
		expect(await world.ask(rejections)).toMatchObject({ kind: 'credentialRejected' });
	});
});

describe('a deleted credential', () => {
	it.each([
		['credentialRejected', false],
		['failed', true],
	])(
		'is %s (reported: %s), and the service gets no request until it is back',
		async (kind, known) => {
			const world = new World();
			const rejections = await world.rejections(known);
			world.held = undefined;
			await world.time.pass(MINUTE);
			const message = expect.stringContaining('no longer exists') as string;
			expect(await world.ask(rejections)).toEqual({ kind, message });
			expect(world.asked).toBe(0);
			world.held = 'a';
			await world.time.pass(MINUTE);
			expect(await world.ask(rejections)).toEqual({ kind: 'pending' });
		},
	);
});

const errorFor = (report: IdReport, rejections: CredentialRejections) =>
	toReportError(report, rejections, {}, () => errorForIdReport(report, settings));

describe('a report of an unavailable service', () => {
	const sick: IdReport = { kind: 'unavailable', message: '…' };
	const adviceOn = (rejections: CredentialRejections, report: IdReport) =>
		(errorFor(report, rejections) as { advice?: string }).advice;

	it('names the credential as long as the service rejects it', async () => {
		const world = new World();
		const rejections = await world.rejections(true);
		expect(adviceOn(rejections, sick)).not.toMatch(/credential/);
		world.taken = 'b';
		await world.ask(rejections);
		expect(adviceOn(rejections, sick)).toMatch(/^Check the credential/);
		expect(adviceOn(rejections, { kind: 'startsRejected', message: '…' })).not.toMatch(
			/credential/,
		);
		world.taken = 'a';
		world.pollResult = () => ({ kind: 'unavailable', message: '503' });
		await world.ask(rejections);
		expect(adviceOn(rejections, sick)).not.toMatch(/credential/);
	});
});

/** Starts a trigger again whenever it stops, as n8n does, and counts the reports to users. */
class Life {
	stops = 0;
	readonly reported: Array<string | undefined> = [];
	readonly ended: EndedId[] = [];
	private readonly stop = new AbortController();

	constructor(private readonly world: World) {}

	async run(): Promise<void> {
		let [saved, known]: [unknown, boolean] = [undefined, false];
		while (!this.stop.signal.aborted) {
			const { time } = this.world;
			const rejections = await this.world.rejections(known);
			const watcher = new Watcher(
				{
					pollId: async () => await this.world.ask(rejections),
					emit: async (ended) => void this.ended.push(ended),
					save: (snapshot) => (saved = JSON.parse(JSON.stringify(snapshot))),
					report: (report) => this.reported.push(errorFor(report, rejections)?.message),
					sleep: time.sleep,
					clock: time.clock,
					random: () => 0.5,
				},
				{ intervalMs: 2000 },
				saved,
				[{ id: 'x' }],
			);
			const { rejectionMessage } = await watcher.run(this.stop.signal);
			known = rejectionMessage !== undefined;
			if (known) this.stops++;
			await time.sleep(1000);
		}
	}

	end(): void {
		this.stop.abort(new Error('closed'));
	}
}

it('a rejected credential causes one stop and one report, is retried ever more rarely, and polling resumes once it is valid', async () => {
	const world = new World();
	const life = new Life(world);
	void life.run();
	await world.time.pass(MINUTE);
	world.taken = 'b';
	await world.time.pass(10 * MINUTE);
	const before = world.asked;
	await world.time.pass(50 * MINUTE);
	expect(life.stops).toBe(1);
	expect(life.reported).toEqual([REFUSED]);
	// Once a minute and a bit, since the pauses are of random length.
	expect(world.asked - before).toBeGreaterThan(30);
	expect(world.asked - before).toBeLessThanOrEqual(50);

	world.taken = 'a';
	await world.time.pass(12 * MINUTE);
	world.taken = 'b';
	await world.time.pass(30 * MINUTE);
	expect(life.stops).toBe(2);

	world.taken = 'a';
	world.pollResult = () => ({ kind: 'finished', outcome: 'done' });
	await world.time.pass(2 * MINUTE);
	expect(life.ended).toMatchObject([{ id: 'x', outcome: 'done' }]);
	life.end();
	await world.time.pass(MINUTE);
});
