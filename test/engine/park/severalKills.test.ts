import { manager, severalPeopleParameters, useSeveralPeople, withDeputy } from './severalLevels';

// Whenever n8n is killed, no one is asked twice. An execution that was running is lost, as n8n loses all that run.

const MINUTE = 60_000;
const { rig, open, start, advanceTime, nextInputsOf, statusOf, decideLastOf, countRequests } =
	useSeveralPeople();

describe('n8n is killed', () => {
	/** The story: manager, deputies of finance, then an end. Each step is what happens while n8n rests. */
	const steps: Array<() => void> = [
		() => undefined,
		() => decideLastOf('9'),
		() => decideLastOf('1'),
		() => undefined,
		() => undefined,
		() => decideLastOf('7'),
	];

	it.each(steps.map((_, index) => index))(
		'before and after step %d: nothing is sent twice',
		async (killed) => {
			open(severalPeopleParameters([manager, withDeputy]));
			await start('One?');
			for (const [index, step] of steps.entries()) {
				if (index === killed) rig.host.restartProcess();
				step();
				if (index === killed) rig.host.restartProcess();
				await advanceTime(6 * MINUTE);
				while (statusOf('1') === 'running') await advanceTime(100);
			}
			await advanceTime(6 * MINUTE);
			expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved', level: 'Finance' }]]);
			expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1, 7: 1 });
		},
	);
});

/** The requests of the node itself: it sends, and polls before it is parked and after a resume. */
const OF_THE_NODE = Array.from({ length: 20 }, (_, index) => ['running', index + 1] as const);
const OF_THE_POLLER = [1, 2, 20, 100].map((count) => ['waiting', count] as const);

it.each([...OF_THE_NODE, ...OF_THE_POLLER])(
	'at a request to the service, while the execution is %s: %d',
	async (status, fatal) => {
		open(severalPeopleParameters([manager, withDeputy]));
		let requests = 0;
		rig.service.replaceResponse = () => {
			if (statusOf('1') === status && ++requests === fatal) rig.host.restartProcess();
			return undefined;
		};
		void rig.host.start([{ question: 'One?' }]);
		for (const user of ['9', '1', '7']) {
			await advanceTime(16 * MINUTE);
			if (rig.service.uuidsSentTo(user).length > 0) decideLastOf(user);
		}
		await advanceTime(16 * MINUTE);
		expect(requests).toBeGreaterThanOrEqual(fatal);
		for (const count of Object.values(countRequests())) expect(count).toBe(1);
		if (status === 'running') {
			expect(statusOf('1')).toBe('crashed');
			expect(nextInputsOf('1')).toBeUndefined();
		} else {
			expect(nextInputsOf('1')).toMatchObject([[{ outcome: 'approved', level: 'Finance' }]]);
			expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1, 7: 1 });
		}
	},
);

it('those requests include all that are sent', async () => {
	open(severalPeopleParameters([manager, withDeputy]));
	const sentAt: number[] = [];
	let requests = 0;
	rig.service.replaceResponse = (method) => {
		if (statusOf('1') === 'running') requests++;
		if (method === 'POST') sentAt.push(requests);
		return undefined;
	};
	void rig.host.start([{ question: 'One?' }]);
	for (const user of ['9', '1', '7']) {
		await advanceTime(16 * MINUTE);
		decideLastOf(user);
	}
	expect(sentAt).toHaveLength(5);
	expect(Math.max(...sentAt)).toBeLessThanOrEqual(OF_THE_NODE.length);
});
