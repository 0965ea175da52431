import {
	manager,
	severalPeopleParameters,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

// A kill of n8n never causes a second request to a person. n8n marks executions that were running as crashed.

const MINUTE = 60_000;
const { rig, open, start, advanceTime, nextInputsOf, statusOf, decideLastOf, countRequests } =
	useSeveralPeople();

describe('if n8n is killed', () => {
	/** The events while the execution is parked: the manager decides, then finance and its deputy. */
	const events: Array<() => void> = [
		() => undefined,
		() => decideLastOf('9'),
		() => decideLastOf('1'),
		() => undefined,
		() => undefined,
		() => decideLastOf('7'),
	];

	it.each(events.map((_, index) => index))(
		'nothing is sent twice after kills before and after event %d',
		async (killIndex) => {
			open(severalPeopleParameters([manager, withDeputy]));
			await start('One?');
			for (const [index, applyEvent] of events.entries()) {
				if (index === killIndex) rig.host.restartProcess();
				applyEvent();
				if (index === killIndex) rig.host.restartProcess();
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
const NODE_REQUESTS = Array.from({ length: 20 }, (_, index) => ['running', index + 1] as const);
const POLLER_REQUESTS = [1, 2, 20, 100].map((count) => ['waiting', count] as const);

it.each([...NODE_REQUESTS, ...POLLER_REQUESTS])(
	'nothing is sent twice if n8n is killed while the execution is %s, at request %d',
	async (status, killAtRequest) => {
		open(severalPeopleParameters([manager, withDeputy]));
		let requests = 0;
		rig.service.replaceResponse = () => {
			if (statusOf('1') === status && ++requests === killAtRequest) rig.host.restartProcess();
			return undefined;
		};
		void rig.host.start([{ question: 'One?' }]);
		for (const user of ['9', '1', '7']) {
			await advanceTime(16 * MINUTE);
			if (rig.service.uuidsSentTo(user).length > 0) decideLastOf(user);
		}
		await advanceTime(16 * MINUTE);
		expect(requests).toBeGreaterThanOrEqual(killAtRequest);
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

it('the requests at which n8n is killed include all that are sent', async () => {
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
	expect(Math.max(...sentAt)).toBeLessThanOrEqual(NODE_REQUESTS.length);
});
