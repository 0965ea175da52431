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
	let queue: Cluster;
	let chat: ChatServer;
	let reviews: Reviews;
	beforeAll(async () => {
		queue = await startCluster({ name: 'review', workers: 2, env: resumeTimer(TIMER_S) });
		chat = await ChatServer.open();
		reviews = new Reviews(queue.lab, chat, await openReviewed(queue.lab, chat));
	});
	afterAll(async () => {
		await (chat as ChatServer | undefined)?.close();
		await (queue as Cluster | undefined)?.stop();
	});

	const lookUp = { tool: 'Look up', arguments: { User: `${seededUserIds.withApp}` } };
	const find = { tool: 'Find', arguments: { User: `${seededUserIds.plain}` } };
	const facts = {
		lookUp: { tool: 'Look_up', user: seededUserIds.withApp },
		find: { tool: 'Find', user: seededUserIds.plain },
	};

	/**
	 * Runs a review, and returns the facts that do not depend on wording: what the phone showed, whose status the tools read, and
	 * what the model received.
	 */
	const review = async (...parameters: Parameters<Reviews['run']>) => {
		const { requestLog } = queue.lab.sandbox;
		const readsBefore = requestLog.count('twoFactor', 'getUserStatus');
		const { shownRequests, toolResults } = await reviews.run(...parameters);
		const runs = requestLog.count('twoFactor', 'getUserStatus') - readsBefore;
		const statusReads = requestLog.entries({ service: 'twoFactor', operationId: 'getUserStatus' });
		return {
			shown: shownRequests.map(({ details }) => ({
				tool: readWord(details, 'Tool'),
				user: Number(readWord(details, 'User')),
			})),
			ran: statusReads
				.slice(statusReads.length - runs)
				.map(({ path }) => Number(/\d+/.exec(path)![0]))
				.sort(),
			toolResults,
		};
	};

	test('runs the tool once after a yes, and not after a no', async () => {
		expect(await review([lookUp], ['approved'])).toEqual({
			shown: [facts.lookUp],
			ran: [seededUserIds.withApp],
			toolResults: [expect.stringContaining(`${seededUserIds.withApp}`)],
		});
		expect(await review([lookUp], ['denied'])).toMatchObject({ shown: [facts.lookUp], ran: [] });
	});

	test.each([
		['approved', 'approved', [seededUserIds.plain, seededUserIds.withApp]],
		['approved', 'denied', [seededUserIds.withApp]],
		['denied', 'approved', [seededUserIds.plain]],
		['denied', 'denied', []],
	] as const)('asks for each of several calls at once: %s and %s', async (first, second, ran) => {
		expect(await review([[lookUp, find]], [first, second])).toMatchObject({
			shown: [facts.lookUp, facts.find],
			ran,
		});
	});

	test('asks again in the next turn of the same run', async () => {
		expect(await review([lookUp, find], ['denied', 'approved'])).toMatchObject({
			shown: [facts.lookUp, facts.find],
			ran: [seededUserIds.plain],
		});
	});

	test('returns to the agent that the request expired', async () => {
		const { shown, ran, toolResults } = await review([lookUp], ['expire']);
		expect({ shown, ran }).toEqual({ shown: [facts.lookUp], ran: [] });
		expect(toolResults).toEqual([expect.stringMatching(/expired/i)]);
		expect(toolResults).not.toEqual([expect.stringMatching(/reject|denied/i)]);
	});

	test('resumes if the workers were killed meanwhile, asks once and runs the tool once', async () => {
		const replaceWorkers = async () => {
			await Promise.all(queue.workers.map(async (worker) => await worker.stop('SIGKILL')));
			await queue.startWorker();
		};
		expect(await review([lookUp], ['approved'], replaceWorkers)).toMatchObject({
			shown: [facts.lookUp],
			ran: [seededUserIds.withApp],
		});
	});
});

/** The word in the row of a name, without any marks around either. */
function readWord(details: Record<string, string>, name: string): string | undefined {
	const [, value] =
		Object.entries(details).find(([row]) => row.match(/\w+/g)?.join(' ') === name) ?? [];
	return value?.match(/\w+/g)?.join(' ');
}
