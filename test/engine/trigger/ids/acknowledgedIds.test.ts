// Protects submitted IDs: once the webhook has acknowledged one, it stays in the database, whatever else is saved meanwhile.
import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { waitUntil } from '../support/host';
import { acceptingTrigger, useWebhookRig } from './webhookRig';

/** Duration of a save that ends after the next one. */
const SLOW_SAVE_MS = 150;

const rig = useWebhookRig();
const { sandbox, client, openHost, openAndStart } = rig;

describe('acknowledged IDs', () => {
	const readSavedIds = () => [0, 1].flatMap((node) => rig.host.savedIds(node).map(({ id }) => id));

	it('are saved, and polled by the next process', async () => {
		await openAndStart();
		const [id] = await createApprovals(client, 1);
		await rig.host.post({ id, data: { order: 7 } });
		expect(readSavedIds()).toEqual([id]);
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
		expect(readSavedIds().sort()).toEqual(ids);
	});

	it('stay saved if the save of an earlier start ends late', async () => {
		await openAndStart();
		const [endingId] = await createApprovals(client, 1);
		await rig.host.post({ id: endingId });
		decideApproval(sandbox, endingId!, 'approved');
		rig.host.saveDelaysMs = [SLOW_SAVE_MS];
		await waitUntil(() => rig.host.emitCalls === 1);
		await rig.host.post({ id: 'a' });
		await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_SAVE_MS));
		expect(readSavedIds()).toContain('a');
	});

	it('stay saved if the save of an earlier start of another trigger in the workflow ends late', async () => {
		openHost(acceptingTrigger(), acceptingTrigger());
		await rig.host.start();
		const [endingId] = await createApprovals(client, 1);
		await rig.host.post({ id: endingId }, { node: 1 });
		decideApproval(sandbox, endingId!, 'approved');
		rig.host.saveDelaysMs = [SLOW_SAVE_MS];
		await waitUntil(() => rig.host.emitCalls === 1);
		await rig.host.post({ id: 'a' }, { node: 0 });
		await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_SAVE_MS));
		expect(readSavedIds()).toContain('a');
	});

	it('stay saved if another trigger in the workflow accepts IDs at the same time', async () => {
		openHost(acceptingTrigger(), acceptingTrigger());
		await rig.host.start();
		rig.host.saveDelaysMs = [100, 3, 50, 3];
		const posts = ['a', 'b', 'c', 'd'].map(
			async (id, index) => await rig.host.post({ id }, { node: index % 2 }),
		);
		await Promise.all(posts);
		expect(readSavedIds().sort()).toEqual(['a', 'b', 'c', 'd']);
	});

	it('stay saved if another trigger starts the workflow with an older copy of the saved state', async () => {
		openHost(acceptingTrigger(), acceptingTrigger());
		const [endingId] = await createApprovals(client, 1);
		await rig.host.start();
		const earlierStaticData = rig.host.staticDataJson;
		// n8n restarts only the trigger whose node was changed.
		const bothNodes = rig.host.nodes;
		rig.host.nodes = [bothNodes[0]!];
		await rig.host.start('update', earlierStaticData);
		rig.host.nodes = bothNodes;
		await rig.host.post({ id: 'a' }, { node: 1 });
		await rig.host.post({ id: endingId }, { node: 0 });
		decideApproval(sandbox, endingId!, 'approved');
		await waitUntil(() => rig.host.executions.length === 1);
		await waitUntil(() => rig.host.staticDataJson.includes('outcome'));
		expect(readSavedIds()).toContain('a');
	});

	it('are not lost if n8n starts the trigger again with older static data', async () => {
		await openAndStart();
		const earlierStaticData = rig.host.staticDataJson;
		const [id] = await createApprovals(client, 1);
		await rig.host.post({ id });
		await rig.host.stop();
		await rig.host.start('init', earlierStaticData);
		expect(readSavedIds()).toEqual([id]);
		decideApproval(sandbox, id!, 'denied');
		await waitUntil(() => rig.host.executions.length === 1);
	});
});
