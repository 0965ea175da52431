import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { seeded } from '../sandbox/twoFactor.fixture';
import { openReviewed } from './park/agent';
import { lookAgainAfter } from './park/flows';
import { Reviews } from './park/reviews';
import { ChatServer } from './support/chatServer';

/** How long it takes until parked executions look again, in seconds; users have five minutes. */
const LOOK_AGAIN = 100;

describe('the human review of tools in queue mode', () => {
	let queue: Cluster;
	let chat: ChatServer;
	let reviews: Reviews;
	beforeAll(async () => {
		queue = await startCluster({ workers: 2, env: lookAgainAfter(LOOK_AGAIN) });
		chat = await ChatServer.open();
		reviews = new Reviews(queue.lab, chat, await openReviewed(queue.lab, chat));
	}, 300_000);
	afterAll(async () => {
		await (chat as ChatServer | undefined)?.close();
		await (queue as Cluster | undefined)?.stop();
	}, 120_000);

	const lookUp = { tool: 'Look up', arguments: { User: `${seeded.withApp}` } };
	const find = { tool: 'Find', arguments: { User: `${seeded.plain}` } };
	const status = (user: number): unknown => expect.stringContaining(`"twofactor_id":${user}`);
	const rejected = (tool: string): unknown =>
		expect.stringContaining(`User rejected the tool call to ${tool}`);

	test('runs the tool after a yes, and not after a no', async () => {
		expect((await reviews.run([lookUp], ['approved'])).heard).toEqual([status(seeded.withApp)]);
		expect((await reviews.run([lookUp], ['denied'])).heard).toEqual([rejected('Look up')]);
	});

	test.each([
		['approved', 'approved', [status(seeded.withApp), status(seeded.plain)]],
		['approved', 'denied', [status(seeded.withApp)]],
		['denied', 'approved', [status(seeded.plain)]],
		['denied', 'denied', [rejected('Look up'), rejected('Find')]],
	] as const)('asks for each of several calls at once: %s and %s', async (first, second, heard) => {
		const review = await reviews.run([[lookUp, find]], [first, second]);
		expect(review.asked.map(({ details }) => details.Tool)).toEqual(['Look_up', 'Find']);
		expect(review.heard).toEqual(heard);
	});

	test('asks again in the next turn of the same run', async () => {
		const { asked, heard } = await reviews.run([lookUp, find], ['denied', 'approved']);
		expect(asked).toHaveLength(2);
		expect(heard).toEqual([rejected('Look up'), status(seeded.plain)]);
	});

	test('tells the agent of a request that expired what it was', async () => {
		const { said } = await reviews.run([lookUp], ['expire']);
		expect(said).toMatch(/Nobody decided: the request expired .*The tool was not run/);
		expect(said).not.toMatch(/reject/);
	});

	test('goes on where the workers were killed meanwhile, and asks once', async () => {
		const { asked, heard } = await reviews.run([lookUp], ['approved'], async () => {
			await Promise.all(queue.workers.map(async (worker) => await worker.stop('SIGKILL')));
			await queue.startWorker();
		});
		expect(asked).toHaveLength(1);
		expect(heard).toEqual([status(seeded.withApp)]);
	}, 300_000);
});
