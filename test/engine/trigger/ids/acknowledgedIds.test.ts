import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { waitUntil } from '../support/host';
import { acceptingTrigger, useWebhookRig } from './webhookRig';

const rig = useWebhookRig();
const { sandbox, client, openHost, openAndStart } = rig;

describe('acknowledged IDs', () => {
	const saved = () => [0, 1].flatMap((node) => rig.host.savedIds(node).map(({ id }) => id));

	it('are saved, and polled by the next process', async () => {
		await openAndStart();
		const [id] = await createApprovals(client, 1);
		await rig.host.post({ id, data: { order: 7 } });
		expect(saved()).toEqual([id]);
		await rig.host.restartProcess();
		decideApproval(sandbox, id!, 'approved');
		await rig.host.start('init');
		await waitUntil(() => rig.host.executions.length === 1);
		expect(rig.host.startedItemsById().get(id)).toMatchObject({
			outcome: 'approved',
			data: { order: 7 },
		});
	});

	it('stay saved if the database is slow and many are submitted at once', async () => {
		await openAndStart();
		rig.host.saveDelaysMs = [300, 10, 200, 3];
		const ids = ['a', 'b', 'c', 'd'];
		await Promise.all(ids.map(async (id) => await rig.host.post({ id })));
		expect(saved().sort()).toEqual(ids);
	});

	it('stay saved if an earlier save, of a start, arrives late', async () => {
		await openAndStart();
		const [ending] = await createApprovals(client, 1);
		await rig.host.post({ id: ending });
		decideApproval(sandbox, ending!, 'approved');
		rig.host.saveDelaysMs = [150];
		await waitUntil(() => rig.host.emitCalls === 1);
		await rig.host.post({ id: 'a' });
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(saved()).toContain('a');
	});

	it('stay saved if such a save is that of another trigger in the same workflow', async () => {
		openHost(acceptingTrigger(), acceptingTrigger());
		await rig.host.start();
		const [ending] = await createApprovals(client, 1);
		await rig.host.post({ id: ending }, { node: 1 });
		decideApproval(sandbox, ending!, 'approved');
		rig.host.saveDelaysMs = [150];
		await waitUntil(() => rig.host.emitCalls === 1);
		await rig.host.post({ id: 'a' }, { node: 0 });
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(saved()).toContain('a');
	});

	it('stay saved if another trigger in the same workflow accepts IDs at the same time', async () => {
		openHost(acceptingTrigger(), acceptingTrigger());
		await rig.host.start();
		rig.host.saveDelaysMs = [100, 3, 50, 3];
		const posts = ['a', 'b', 'c', 'd'].map(
			async (id, index) => await rig.host.post({ id }, { node: index % 2 }),
		);
		await Promise.all(posts);
		expect(saved().sort()).toEqual(['a', 'b', 'c', 'd']);
	});

	it('stay saved if the other trigger starts its workflow with a copy of its own of the saved state', async () => {
		openHost(acceptingTrigger(), acceptingTrigger());
		const [ending] = await createApprovals(client, 1);
		await rig.host.start();
		const before = rig.host.staticDataJson;
		// n8n starts only the trigger again whose node was changed.
		const both = rig.host.nodes;
		rig.host.nodes = [both[0]!];
		await rig.host.start('update', before);
		rig.host.nodes = both;
		await rig.host.post({ id: 'a' }, { node: 1 });
		await rig.host.post({ id: ending }, { node: 0 });
		decideApproval(sandbox, ending!, 'approved');
		await waitUntil(() => rig.host.executions.length === 1);
		await waitUntil(() => rig.host.staticDataJson.includes('outcome'));
		expect(saved()).toContain('a');
	});

	it('are not lost if n8n starts the trigger again with older static data', async () => {
		await openAndStart();
		const before = rig.host.staticDataJson;
		const [id] = await createApprovals(client, 1);
		await rig.host.post({ id });
		await rig.host.stop();
		await rig.host.start('init', before);
		expect(saved()).toEqual([id]);
		decideApproval(sandbox, id!, 'denied');
		await waitUntil(() => rig.host.executions.length === 1);
	});
});
