// Protects users from repeated reports of a rejected credential: one report, few requests, and polling resumes later.
import type { Connection } from '../../../../nodes/engine/http/client';
import { errorForIdReport } from '../../../../nodes/engine/trigger/common/messages';
import { CredentialRejections } from '../../../../nodes/engine/trigger/common/rejections';
import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';
import { toReportError } from '../../../../nodes/engine/trigger/common/reportErrors';
import type { IdTriggerSettings } from '../../../../nodes/engine/trigger/ids/settings';
import { readSnapshot, REPORT_AGAIN_AFTER_MS, Watcher } from '../../../../nodes/engine/watch';
import type { EndedId, IdReport, PollResult } from '../../../../nodes/engine/watch';
import { VirtualTime } from '../support/virtualTime';

class CredentialNotFoundError extends Error {}

const MINUTE_MS = 60_000;
const REJECTION_MESSAGE = 'That key is not good';
const settings: IdTriggerSettings = {
	enteredIds: [],
	acceptNewIds: false,
	outcomes: new Set(),
	watcherOptions: {},
	options: {},
	simplifies: true,
};

/** Stands for an n8n that stores one key, or none, and a service that accepts one key. */
class CredentialHarness {
	readonly time = new VirtualTime();
	storedKey: string | undefined = 'a';
	acceptedKey = 'a';
	requestCount = 0;
	/** Poll result while the service accepts the key. */
	pollResult: () => PollResult = () => ({ kind: 'pending' });

	async openRejections(wasReported = false): Promise<CredentialRejections> {
		const now = () => this.time.nowMs;
		return new CredentialRejections(
			await RenewedConnection.open(this.connect, wasReported, now),
			wasReported,
			now,
		);
	}

	async pollOnce(rejections: CredentialRejections): Promise<PollResult> {
		return await rejections.pollWithCurrentCredential(async ({ credential }) => {
			this.requestCount++;
			return credential.apiKey === this.acceptedKey
				? this.pollResult()
				: { kind: 'credentialRejected', message: REJECTION_MESSAGE };
		});
	}

	private readonly connect = async () => {
		if (this.storedKey === undefined) throw new CredentialNotFoundError();
		return { credential: { apiKey: this.storedKey } } as unknown as Connection;
	};
}

describe('a rejected credential', () => {
	it('yields credentialRejected, which stops the trigger, if no rejection was reported before', async () => {
		const harness = new CredentialHarness();
		const rejections = await harness.openRejections();
		harness.acceptedKey = 'b';
		expect(await harness.pollOnce(rejections)).toEqual({
			kind: 'credentialRejected',
			message: REJECTION_MESSAGE,
		});
		expect(await harness.pollOnce(rejections)).toEqual({
			kind: 'credentialRejected',
			message: REJECTION_MESSAGE,
		});
		expect(rejections.isReported).toBe(false);
	});

	it('yields an ordinary failure if a rejection was reported before', async () => {
		const harness = new CredentialHarness();
		const rejections = await harness.openRejections(true);
		harness.acceptedKey = 'b';
		await harness.time.advance(100 * MINUTE_MS);
		expect(await harness.pollOnce(rejections)).toEqual({
			kind: 'failed',
			message: REJECTION_MESSAGE,
		});
		expect(rejections.isReported).toBe(true);
	});

	it('is reported again only after ten minutes without a rejection', async () => {
		const harness = new CredentialHarness();
		const rejections = await harness.openRejections(true);
		const pollWithAcceptedKey = async (acceptedKey: string) => {
			harness.acceptedKey = acceptedKey;
			return (await harness.pollOnce(rejections)).kind;
		};
		await harness.time.advance(MINUTE_MS);
		expect(await pollWithAcceptedKey('b')).toBe('failed');
		await harness.time.advance(REPORT_AGAIN_AFTER_MS - 1);
		expect(await pollWithAcceptedKey('a')).toBe('pending');
		expect(await pollWithAcceptedKey('b')).toBe('failed');
		await harness.time.advance(REPORT_AGAIN_AFTER_MS);
		// Time alone does not show that the credential is valid again.
		expect(await pollWithAcceptedKey('b')).toBe('failed');
		await harness.time.advance(REPORT_AGAIN_AFTER_MS);
		expect(await pollWithAcceptedKey('a')).toBe('pending');
		expect(await pollWithAcceptedKey('b')).toBe('credentialRejected');
	});

	it('counts as reported for ten minutes from the start of the trigger, however long the computer has run', async () => {
		const harness = new CredentialHarness();
		await harness.time.advance(REPORT_AGAIN_AFTER_MS);
		const rejections = await harness.openRejections(true);
		await harness.pollOnce(rejections);
		expect(rejections.isReported).toBe(true);
		await harness.time.advance(REPORT_AGAIN_AFTER_MS);
		await harness.pollOnce(rejections);
		expect(rejections.isReported).toBe(false);
	});
});

describe('a rejected credential that was replaced in n8n', () => {
	it.each([false, true])(
		'causes one pause, then polls succeed with the new one (reported before: %s)',
		async (wasReported) => {
			const harness = new CredentialHarness();
			const rejections = await harness.openRejections(wasReported);
			[harness.storedKey, harness.acceptedKey] = ['b', 'b'];
			expect(await harness.pollOnce(rejections)).toEqual({
				kind: 'rateLimited',
				message: REJECTION_MESSAGE,
			});
			expect(await harness.pollOnce(rejections)).toEqual({ kind: 'pending' });
			expect(harness.requestCount).toBe(2);
		},
	);

	it('yields credentialRejected if the service rejects the new one, too', async () => {
		const harness = new CredentialHarness();
		const rejections = await harness.openRejections();
		[harness.storedKey, harness.acceptedKey] = ['b', 'c'];
		expect(await harness.pollOnce(rejections)).toMatchObject({ kind: 'rateLimited' });
		expect(await harness.pollOnce(rejections)).toMatchObject({ kind: 'credentialRejected' });
	});
});

describe('a deleted credential', () => {
	it.each([
		['credentialRejected', false],
		['failed', true],
	])(
		'yields %s (reported before: %s), and the service gets no request until it exists again',
		async (kind, wasReported) => {
			const harness = new CredentialHarness();
			const rejections = await harness.openRejections(wasReported);
			harness.storedKey = undefined;
			await harness.time.advance(MINUTE_MS);
			const message = expect.stringContaining('no longer exists') as string;
			expect(await harness.pollOnce(rejections)).toEqual({ kind, message });
			expect(harness.requestCount).toBe(0);
			harness.storedKey = 'a';
			await harness.time.advance(MINUTE_MS);
			expect(await harness.pollOnce(rejections)).toEqual({ kind: 'pending' });
		},
	);
});

/** Returns the error with which a trigger passes a report to n8n. */
const createReportError = (report: IdReport, rejections: CredentialRejections) =>
	toReportError(report, rejections, {}, () => errorForIdReport(report, settings));

describe('a report of an unavailable service', () => {
	const unavailableReport: IdReport = { kind: 'unavailable', message: '…' };
	const readAdvice = (rejections: CredentialRejections, report: IdReport) =>
		(createReportError(report, rejections) as { advice?: string }).advice;

	it('contains the advice to check the credential only while the service rejects it', async () => {
		const harness = new CredentialHarness();
		const rejections = await harness.openRejections(true);
		expect(readAdvice(rejections, unavailableReport)).not.toMatch(/credential/);
		harness.acceptedKey = 'b';
		await harness.pollOnce(rejections);
		expect(readAdvice(rejections, unavailableReport)).toMatch(/^Check the credential/);
		expect(readAdvice(rejections, { kind: 'startsRejected', message: '…' })).not.toMatch(
			/credential/,
		);
		harness.acceptedKey = 'a';
		harness.pollResult = () => ({ kind: 'unavailable', message: '503' });
		await harness.pollOnce(rejections);
		expect(readAdvice(rejections, unavailableReport)).not.toMatch(/credential/);
	});
});

/** Starts a trigger again whenever it stops, as n8n does, and collects the reports to users. */
class TriggerLoop {
	stopCount = 0;
	readonly reportedMessages: Array<string | undefined> = [];
	readonly ended: EndedId[] = [];
	private readonly stop = new AbortController();

	constructor(private readonly harness: CredentialHarness) {}

	async run(): Promise<void> {
		let [savedState, wasReported]: [unknown, boolean] = [undefined, false];
		while (!this.stop.signal.aborted) {
			const { time } = this.harness;
			const rejections = await this.harness.openRejections(wasReported);
			const watcher = new Watcher(
				{
					pollId: async () => await this.harness.pollOnce(rejections),
					emit: async (ended) => void this.ended.push(ended),
					save: (snapshot) => (savedState = JSON.parse(JSON.stringify(snapshot))),
					report: (report) =>
						this.reportedMessages.push(createReportError(report, rejections)?.message),
					sleep: time.sleep,
					clock: time.clock,
					random: () => 0.5,
				},
				{ intervalMs: 2000 },
				readSnapshot(savedState),
				[{ id: 'x' }],
			);
			const { credentialRejectionMessage } = await watcher.run(this.stop.signal);
			wasReported = credentialRejectionMessage !== undefined;
			if (wasReported) this.stopCount++;
			await time.sleep(1000);
		}
	}

	close(): void {
		this.stop.abort(new Error('closed'));
	}
}

it('a rejected credential causes one stop and one report, is tried at most once a minute, and polling resumes once it is valid', async () => {
	const harness = new CredentialHarness();
	const triggerLoop = new TriggerLoop(harness);
	void triggerLoop.run();
	await harness.time.advance(MINUTE_MS);
	harness.acceptedKey = 'b';
	await harness.time.advance(10 * MINUTE_MS);
	const requestCountBefore = harness.requestCount;
	await harness.time.advance(50 * MINUTE_MS);
	expect(triggerLoop.stopCount).toBe(1);
	expect(triggerLoop.reportedMessages).toEqual([REJECTION_MESSAGE]);
	// A little less than once a minute, since the pauses have a random length.
	expect(harness.requestCount - requestCountBefore).toBeGreaterThan(30);
	expect(harness.requestCount - requestCountBefore).toBeLessThanOrEqual(50);

	harness.acceptedKey = 'a';
	await harness.time.advance(12 * MINUTE_MS);
	harness.acceptedKey = 'b';
	await harness.time.advance(30 * MINUTE_MS);
	expect(triggerLoop.stopCount).toBe(2);

	harness.acceptedKey = 'a';
	harness.pollResult = () => ({ kind: 'finished', outcome: 'done' });
	await harness.time.advance(2 * MINUTE_MS);
	expect(triggerLoop.ended).toMatchObject([{ id: 'x', outcome: 'done' }]);
	triggerLoop.close();
	await harness.time.advance(MINUTE_MS);
});
