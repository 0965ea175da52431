// Protects approvals by several people: each gets one request, level by level, a denial ends it, and a kill changes nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Flow, recordingNode, waitFor } from '../../lab/drive/flows';
import { killAndRestart } from '../../lab/drive/triggerWorkflows';
import { killableEnv } from '../../lab/environment';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { resumeTimer } from './park/resumeTimer';
import { openPhones } from './park/severalPeople';

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;
const RESUMES_WITHIN_MS = 200_000;

describe('approvals by several people in a real n8n', () => {
	let userFolder: string;
	let lab: Lab;
	let phones: ReturnType<typeof openPhones>;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-several-'));
		const env = { ...killableEnv, ...resumeTimer(TIMER_S) };
		lab = await startLab({ userFolder, sandbox: { registrations: 1 }, env });
		phones = openPhones(lab);
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	const oneRequestEach = { guest: 1, manager: 1, finance: 1 };
	const expectedDecisions = (message: string) =>
		(
			[
				['Team', 'guest'],
				['Team', 'manager'],
				['Finance', 'finance'],
			] as const
		).map(([level, holder]) => ({
			level,
			twofactor_id: Number(phones.readUserId(holder)),
			id: phones.listRequestsWith(holder, message)[0]!.uuid,
			outcome: 'approved',
		}));

	/** Starts an execution, approves as both people of level 1, and waits for the request to level 2. */
	async function runToLevel2(message: string) {
		const flow = await Flow.open(lab, [phones.createTwoLevelNode('Ask', message), recordingNode]);
		const run = await (await flow.start()).waitForStatus('waiting');
		expect(phones.countRequests(message)).toEqual({ ...oneRequestEach, finance: 0 });
		phones.decide('guest', message, 'approved');
		phones.decide('manager', message, 'approved');
		await waitFor(RESUMES_WITHIN_MS, async () =>
			phones.countRequests(message).finance === 1 ? true : undefined,
		);
		return run;
	}

	test('send one request to each of three people, level by level', async () => {
		const run = await runToLevel2('Three phones?');
		phones.decide('finance', 'Three phones?', 'approved');
		await run.waitForStatus('success', RESUMES_WITHIN_MS);
		const [item] = await run.items('Next');
		expect(item).toMatchObject({
			outcome: 'approved',
			approved: true,
			level: 'Finance',
			decisions: expectedDecisions('Three phones?'),
		});
		expect(phones.countRequests('Three phones?')).toEqual(oneRequestEach);
		expect(await run.nodeRuns('Next')).toHaveLength(1);
	});

	test('resume with the decision if n8n is killed during level 2, without a second request to a person', async () => {
		const message = 'Killed at level 2?';
		const run = await runToLevel2(message);
		await run.waitForStatus('waiting', RESUMES_WITHIN_MS);
		await killAndRestart(lab);
		expect(await run.status()).toBe('waiting');
		phones.decide('finance', message, 'approved');
		await run.waitForStatus('success', RESUMES_WITHIN_MS);
		expect(await run.items('Next')).toMatchObject([
			{ outcome: 'approved', level: 'Finance', decisions: expectedDecisions(message) },
		]);
		expect(phones.countRequests(message)).toEqual(oneRequestEach);
		expect(await run.nodeRuns('Next')).toHaveLength(1);
	});

	test('end with a denial at level 1, without a request to level 2', async () => {
		const message = 'Denied at level 1?';
		const flow = await Flow.open(lab, [phones.createTwoLevelNode('Ask', message), recordingNode]);
		const run = await (await flow.start()).waitForStatus('waiting');
		phones.decide('manager', message, 'denied');
		await run.waitForStatus('success', RESUMES_WITHIN_MS);
		expect(await run.items('Next')).toMatchObject([
			{ outcome: 'denied', approved: false, level: 'Team' },
		]);
		expect(phones.countRequests(message)).toEqual({ ...oneRequestEach, finance: 0 });
	});
});
