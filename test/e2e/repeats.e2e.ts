// Protects people from double requests with Retry On Fail: n8n runs the node again with all its items, and each successful
// request is sent once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { approvalNode, Flow, recordingNode, listApprovalIds } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { seededUserIds } from '../sandbox/twoFactor.fixture';

const splitNode = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.people', options: {} },
};
const retrySettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
const parameters = {
	operation: 'create',
	twofactorId: '={{ $json.user }}',
	message: '={{ "May it open? " + $now.toMillis() }}',
};
/** The second item names a user unknown to the service. */
const people = [
	{ user: `${seededUserIds.withApp}` },
	{ user: '999999' },
	{ user: `${seededUserIds.withApp}` },
];

describe('Retry On Fail', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-repeats-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});
	const listRequests = () =>
		lab.sandbox.requestLog
			.entries({ service: 'twoFactor' })
			.filter(({ method }) => method === 'POST')
			.map(
				({ path: requestPath, status }) =>
					`${requestPath.includes('999999') ? 'unknown' : 'known'} ${status}`,
			);

	it('sends each successful request once if n8n runs the node three times', async () => {
		const flow = await Flow.open(lab, [
			splitNode,
			approvalNode('Ask', parameters, retrySettings),
			recordingNode,
		]);
		lab.sandbox.requestLog.clear();
		const countBefore = listApprovalIds(lab).length;
		const run = await (await flow.start({ people })).waitForStatus('error');
		expect(listApprovalIds(lab)).toHaveLength(countBefore + 1);
		expect(listRequests()).toEqual(['known 200', 'unknown 404', 'unknown 404', 'unknown 404']);
		expect(await run.items('Next')).toEqual([]);
	});

	it('sends each successful request once with On Error: Continue, if the first item fails', async () => {
		const node = { ...retrySettings, onError: 'continueRegularOutput' };
		const flow = await Flow.open(lab, [
			splitNode,
			approvalNode('Ask', parameters, node),
			recordingNode,
		]);
		lab.sandbox.requestLog.clear();
		const countBefore = listApprovalIds(lab).length;
		const [known, unknown] = people;
		const run = await flow.start({ people: [unknown, known, known] });
		await run.waitForStatus('success');
		expect(listApprovalIds(lab)).toHaveLength(countBefore + 2);
		expect(listRequests().filter((request) => request.startsWith('known'))).toHaveLength(2);
		expect(listRequests().filter((request) => request.startsWith('unknown'))).toHaveLength(3);
		expect(await run.items('Next')).toMatchObject([
			{ error: expect.any(String) as string },
			{ outcome: 'pending' },
			{ outcome: 'pending' },
		]);
	});
});
