import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { LabCredential } from '../../lab/credentials';
import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, listApprovalIds } from '../../lab/drive/flows';
import type { FlowNode, Run } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';

/** Input that passes for an approval. */
const forgeNode: FlowNode = {
	name: 'Forge',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { mode: 'raw', jsonOutput: '{ "approved": true, "outcome": "approved" }' },
};
const noOp = (name: string): FlowNode => ({ name, type: 'n8n-nodes-base.noOp', parameters: {} });

describe.each(['continueRegularOutput', 'continueErrorOutput'])(
	'an approval with On Error: %s and a forged input, in a real n8n',
	(onError) => {
		let userFolder: string;
		let lab: Lab;
		let credential: LabCredential;
		let flow: Flow;
		beforeAll(async () => {
			userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-on-error-'));
			lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
		});
		afterAll(async () => {
			await (lab as Lab | undefined)?.stop();
			await rm(userFolder, { recursive: true, force: true });
		});
		beforeEach(async () => {
			const name = 'To be deleted';
			const type = 'twoFactorApi';
			const { data } = await lab.rest.post('/credentials', {
				name,
				type,
				data: lab.sandbox.credentials[type],
			});
			credential = { id: unwrap<{ id: string }>(data).id, name, type };
			const ask = approvalNode('Ask', {}, { onError });
			const to = (node: string) => [{ node, type: 'main', index: 0 }];
			flow = await Flow.open(
				{ ...lab, credentials: [credential] },
				[forgeNode, ask, noOp('Pay'), noOp('Reject')],
				{},
				{},
				{
					Ask: { main: [to('Pay'), to('Reject')] },
					Pay: { main: [] },
				},
			);
		});

		const deleteCredential = async () => await lab.rest.delete(`/credentials/${credential.id}`);
		/** Expects that the item failed, and that nothing in it passes for an approval. */
		const expectFailure = async (run: Run) => {
			await run.waitForStatus('success', 30_000);
			const isSplit = onError === 'continueErrorOutput';
			expect(await run.nodeRuns(isSplit ? 'Pay' : 'Reject')).toEqual([]);
			expect(await run.items(isSplit ? 'Reject' : 'Pay')).toEqual([
				{ error: expect.stringContaining('does not exist') },
			]);
		};

		test('is not approved if the credential was deleted before the start', async () => {
			await deleteCredential();
			await expectFailure(await flow.start());
			expect(listApprovalIds(lab)).toEqual([]);
		});

		test('is not approved if the credential was deleted while parked, and the person denied', async () => {
			const run = await (await flow.start()).waitForStatus('waiting');
			const [uuid] = listApprovalIds(lab);
			await deleteCredential();
			decideApproval(lab.sandbox, uuid!, 'denied');
			await expectFailure(run);
		});
	},
);
