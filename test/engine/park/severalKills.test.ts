import { manager, several, useSeveral, withDeputy } from './severalLevels';

// Whenever n8n is killed, no one is asked twice. An execution that was running is lost, as n8n loses all that run.

const MINUTE = 60_000;
const { world, open, start, pass, passedOf, statusOf, vote, sent } = useSeveral();

describe('n8n is killed', () => {
	/** The story: manager, deputies of finance, then an end. Each step is what happens while n8n rests. */
	const steps: Array<() => void> = [
		() => undefined,
		() => vote('9'),
		() => vote('1'),
		() => undefined,
		() => undefined,
		() => vote('7'),
	];

	it.each(steps.map((_, index) => index))(
		'before and after step %d: nothing is sent twice',
		async (killed) => {
			open(several([manager, withDeputy]));
			await start('One?');
			for (const [index, step] of steps.entries()) {
				if (index === killed) world.host.restartProcess();
				step();
				if (index === killed) world.host.restartProcess();
				await pass(6 * MINUTE);
				while (statusOf('1') === 'running') await pass(100);
			}
			await pass(6 * MINUTE);
			expect(passedOf('1')).toMatchObject([[{ outcome: 'approved', level: 'Finance' }]]);
			expect(sent()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1, 7: 1 });
		},
	);
});

/** The requests of the node itself: it sends, and polls before it is parked and after a resume. */
const OF_THE_NODE = Array.from({ length: 20 }, (_, index) => ['running', index + 1] as const);
const OF_THE_POLLER = [1, 2, 20, 100].map((count) => ['waiting', count] as const);

it.each([...OF_THE_NODE, ...OF_THE_POLLER])(
	'at a request to the service, while the execution is %s: %d',
	async (status, fatal) => {
		open(several([manager, withDeputy]));
		let requests = 0;
		world.service.respondInstead = () => {
			if (statusOf('1') === status && ++requests === fatal) world.host.restartProcess();
			return undefined;
		};
		void world.host.start([{ question: 'One?' }]);
		for (const user of ['9', '1', '7']) {
			await pass(16 * MINUTE);
			if (world.service.sentTo(user).length > 0) vote(user);
		}
		await pass(16 * MINUTE);
		expect(requests).toBeGreaterThanOrEqual(fatal);
		for (const count of Object.values(sent())) expect(count).toBe(1);
		if (status === 'running') {
			expect(statusOf('1')).toBe('crashed');
			expect(passedOf('1')).toBeUndefined();
		} else {
			expect(passedOf('1')).toMatchObject([[{ outcome: 'approved', level: 'Finance' }]]);
			expect(sent()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1, 7: 1 });
		}
	},
);

it('those requests include all that are sent', async () => {
	open(several([manager, withDeputy]));
	const sentAt: number[] = [];
	let requests = 0;
	world.service.respondInstead = (method) => {
		if (statusOf('1') === 'running') requests++;
		if (method === 'POST') sentAt.push(requests);
		return undefined;
	};
	void world.host.start([{ question: 'One?' }]);
	for (const user of ['9', '1', '7']) {
		await pass(16 * MINUTE);
		vote(user);
	}
	expect(sentAt).toHaveLength(5);
	expect(Math.max(...sentAt)).toBeLessThanOrEqual(OF_THE_NODE.length);
});
