// Protects operators who read traces: a run counts its requests, retries and pauses, and traces contain no personal data.
import type { IExecuteFunctions, INodeParameters, ITaskMetadata } from 'n8n-workflow';

import { traceRun } from '../../../nodes/engine/run/trace';
import { useRig } from '../../support/sandboxRig';

// n8n attaches `metadata.tracing` of a run to the span of its node (n8n, otel-lifecycle-handler.js, 2.41.1).

const rig = useRig({ registrations: 1 });

const options = { tries: 3, longestWait: 1 };
const statusParameters = {
	resource: 'user',
	operation: 'getStatus',
	twofactorId: '100001',
	options,
};

const runAndReadTracing = async (
	parameters: INodeParameters,
	items?: Array<Record<string, string>>,
) => {
	const { run } = await rig.run('twoFactor', parameters, items);
	return run.data.resultData.runData.Node?.[0]?.metadata?.tracing;
};

it('traceRun counts the requests of all items', async () => {
	expect(await runAndReadTracing(statusParameters, [{}, {}])).toEqual({
		requests: 2,
		retries: 0,
		rateLimitedSeconds: 0,
	});
});

it('traceRun counts retries and the seconds of rate-limit pauses', async () => {
	const limit = { kind: '429', retryAfter: 1, times: 1 } as const;
	rig.sandbox.faultRules.add({ service: 'twoFactor', operation: 'getUserStatus', ...limit });
	expect(await runAndReadTracing(statusParameters)).toEqual({
		requests: 2,
		retries: 1,
		rateLimitedSeconds: 1,
	});
});

it('traceRun counts the requests of a run that failed', async () => {
	expect(await runAndReadTracing({ ...statusParameters, twofactorId: '999999' })).toMatchObject({
		requests: 1,
	});
});

it('traceRun adds to the stored counts, and records outcomes and the longest wait without personal data', () => {
	const storedTracing = { requests: 2, retries: 0, rateLimitedSeconds: 5 };
	let tracing: unknown;
	const context = {
		getExecuteData: () => ({ metadata: { tracing: storedTracing } }),
		setMetadata: (metadata: ITaskMetadata) => (tracing = metadata.tracing),
	} as unknown as IExecuteFunctions;
	const resultWith = (outcome: string, waitedSeconds: number) => ({
		items: [{ outcome, waitedSeconds, twofactor_id: 100_001 }],
	});
	const results = [
		resultWith('denied', 7.5),
		resultWith('approved', 90.1),
		resultWith('approved', 3),
	];
	traceRun(context, { requests: 4, retries: 1, pausedMs: 1400 }, results);
	expect(tracing).toEqual({
		requests: 6,
		retries: 1,
		rateLimitedSeconds: 6,
		outcome: 'approved: 2, denied: 1',
		waitedSeconds: 90.1,
	});
});
