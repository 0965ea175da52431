// Protects people who review tool calls in queue mode: only an approved tool runs, and once, even if workers are killed.
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { seededUserIds } from '../sandbox/twoFactor.fixture';
import { openReviewed } from './park/agent';
import { resumeTimer } from './park/resumeTimer';
import { Reviews } from './park/reviews';
import { ChatServer } from './support/chatServer';

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;

describe('the human review of tools in queue mode', () => {
	let cluster: Cluster;
	let chat: ChatServer;
	let reviews: Reviews;
	beforeAll(async () => {
		cluster = await startCluster({ name: 'review', workers: 2, env: resumeTimer(TIMER_S) });
		chat = await ChatServer.open();
		reviews = new Reviews(cluster.lab, chat, await openReviewed(cluster.lab, chat));
	});
	afterAll(async () => {
		await (chat as ChatServer | undefined)?.close();
		await (cluster as Cluster | undefined)?.stop();
	});

	const lookUpCall = { tool: 'Look up', arguments: { User: `${seededUserIds.withApp}` } };
	const findCall = { tool: 'Find', arguments: { User: `${seededUserIds.plain}` } };
	const expectedShown = {
		lookUp: { tool: 'Look_up', user: seededUserIds.withApp },
		find: { tool: 'Find', user: seededUserIds.plain },
	};

	/**
	 * Runs a review, and returns the results that do not depend on wording: what the phone showed, whose status the tools read, and
	 * what the model received.
	 */
	const runReview = async (...parameters: Parameters<Reviews['run']>) => {
		const { requestLog } = cluster.lab.sandbox;
		const readsBefore = requestLog.count('twoFactor', 'getUserStatus');
		const { shownRequests, toolResults } = await reviews.run(...parameters);
		const runs = requestLog.count('twoFactor', 'getUserStatus') - readsBefore;
		const statusReads = requestLog.entries({ service: 'twoFactor', operationId: 'getUserStatus' });
		return {
			shown: shownRequests.map(({ details }) => ({
				tool: readWords(details, 'Tool'),
				user: Number(readWords(details, 'User')),
			})),
			ran: statusReads
				.slice(statusReads.length - runs)
				.map(({ path }) => Number(/\d+/.exec(path)![0]))
				.sort(),
			toolResults,
		};
	};

	test('runs the tool once after an approval, and not after a denial', async () => {
		expect(await runReview([lookUpCall], ['approved'])).toEqual({
			shown: [expectedShown.lookUp],
			ran: [seededUserIds.withApp],
			toolResults: [expect.stringContaining(`${seededUserIds.withApp}`)],
		});
		expect(await runReview([lookUpCall], ['denied'])).toMatchObject({
			shown: [expectedShown.lookUp],
			ran: [],
		});
	});

	test.each([
		['approved', 'approved', [seededUserIds.plain, seededUserIds.withApp]],
		['approved', 'denied', [seededUserIds.withApp]],
		['denied', 'approved', [seededUserIds.plain]],
		['denied', 'denied', []],
	] as const)(
		'sends a request for each of two calls at once, which are %s and %s',
		async (first, second, ran) => {
			expect(await runReview([[lookUpCall, findCall]], [first, second])).toMatchObject({
				shown: [expectedShown.lookUp, expectedShown.find],
				ran,
			});
		},
	);

	test('sends another request in the next turn of the same run', async () => {
		expect(await runReview([lookUpCall, findCall], ['denied', 'approved'])).toMatchObject({
			shown: [expectedShown.lookUp, expectedShown.find],
			ran: [seededUserIds.plain],
		});
	});

	test('reports an expired request to the agent', async () => {
		const { shown, ran, toolResults } = await runReview([lookUpCall], ['expire']);
		expect({ shown, ran }).toEqual({ shown: [expectedShown.lookUp], ran: [] });
		expect(toolResults).toEqual([expect.stringMatching(/expired/i)]);
		expect(toolResults).not.toEqual([expect.stringMatching(/reject|denied/i)]);
	});

	test('resumes if the workers were killed meanwhile, sends one request and runs the tool once', async () => {
		const replaceWorkers = async () => {
			await Promise.all(cluster.workers.map(async (worker) => await worker.stop('SIGKILL')));
			await cluster.startWorker();
		};
		expect(await runReview([lookUpCall], ['approved'], replaceWorkers)).toMatchObject({
			shown: [expectedShown.lookUp],
			ran: [seededUserIds.withApp],
		});
	});
});

/** Reads the words in the row with this name, without the marks around name and value. */
function readWords(details: Record<string, string>, name: string): string | undefined {
	const [, value] =
		Object.entries(details).find(([row]) => row.match(/\w+/g)?.join(' ') === name) ?? [];
	return value?.match(/\w+/g)?.join(' ');
}
