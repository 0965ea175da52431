// Protects whole workflows: logins by code, push approvals and phone verification work over several nodes, per user.
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../support/fakeClock';
import { DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const makeNode = (name: string, resource: string, operation: string, parameters: object) => ({
	name,
	type: 'twoFactor',
	parameters: { resource, operation, ...parameters } as never,
});
const ENROLLED_ID = "={{ $('Enroll').item.json.twofactor_id }}";
const enrollNode = makeNode('Enroll', 'user', 'enroll', {
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	country: { __rl: true, mode: 'list', value: 'US' },
});
const people = [
	{ email: 'robin.castellan@example.com', phone: '(202) 555-0143' },
	{ email: 'grace@example.com', phone: '+1 202 555 0199' },
];

/** Numbers of the positive outputs. */
const [VALID, APPROVED] = [1, 1];

describe('the login flow', () => {
	const sendNode = makeNode('Send', 'oneTimeCode', 'sendBySms', { twofactorId: ENROLLED_ID });
	/** The second half of a login: the user types the code that the phone got. */
	const makeVerifyNode = (code: string) =>
		makeNode('Verify', 'oneTimeCode', 'verify', { twofactorId: ENROLLED_ID, code });

	it('a workflow enrolls users and sends codes; a second one enrolls them again without a change and verifies the codes', async () => {
		const firstRun = await rig.runSequence([enrollNode, sendNode], people);
		expect(firstRun.error).toBeUndefined();
		expect(firstRun.json('Send').map(({ sent }) => sent)).toEqual([true, true]);
		const codes = [DEMO_PHONE, '+12025550199'].map((phone) => rig.readMessages(phone)[0]!.code);

		// Enrolling again gives the same users, so the same workflow serves every login.
		const input = people.map((person, index) => ({ ...person, typed: codes[index] }));
		const secondRun = await rig.runSequence(
			[enrollNode, makeVerifyNode("={{ $('Start').item.json.typed }}")],
			input,
		);
		expect(secondRun.error).toBeUndefined();
		expect(secondRun.json('Enroll').map(({ twofactor_id }) => twofactor_id)).toEqual(
			firstRun.json('Enroll').map(({ twofactor_id }) => twofactor_id),
		);
		expect(secondRun.json('Verify', VALID).map(({ valid }) => valid)).toEqual([true, true]);
		expect(secondRun.json('Verify')).toEqual([]);
	});

	it('a code is valid only for the user it was sent to, and each result is paired with its user', async () => {
		await rig.runSequence([enrollNode, sendNode], people);
		const codeOfSecondUser = rig.readMessages('+12025550199')[0]!.code;
		const input = people.map((person) => ({ ...person, typed: codeOfSecondUser }));
		const run = await rig.runSequence(
			[enrollNode, makeVerifyNode("={{ $('Start').item.json.typed }}")],
			input,
		);
		expect(run.items('Verify')).toMatchObject([
			{ json: { valid: false }, pairedItem: { item: 0 } },
		]);
		expect(run.items('Verify', VALID)).toMatchObject([
			{ json: { valid: true }, pairedItem: { item: 1 } },
		]);
	});
});

describe('a push approval', () => {
	const askNode = makeNode('Ask', 'approvalRequest', 'create', {
		twofactorId: ENROLLED_ID,
		message: '=Let {{ $("Start").item.json.email }} in?',
		options: { expiry: { time: { unit: 'minutes', amount: 10 } } },
	});
	const waitNode = makeNode('Wait', 'approvalRequest', 'waitForDecision', {
		uuid: "={{ $('Ask').item.json.id }}",
		waitLimit: 30,
		options: { checkEvery: 1 },
	});
	const waitForPendingRequest = async (): Promise<string> => {
		for (let attempt = 0; attempt < 200; attempt++) {
			const [approval] = rig.control('approvals', { status: 'pending' });
			if (approval) return approval.uuid;
			await delay(25);
		}
		throw new Error('No approval request is pending');
	};

	it.each<[string, (uuid: string) => void]>([
		['approved', (uuid) => rig.control('decide', { uuid, decision: 'approved' })],
		['denied', (uuid) => rig.control('decide', { uuid, decision: 'denied' })],
		['expired', () => rig.sandbox.clock.advance(10 * 60_000)],
	])(
		'a workflow of Create and Wait for Decision outputs that the request was %s',
		async (outcome, endRequest) => {
			const running = rig.runSequence([enrollNode, askNode, waitNode], [people[0]!]);
			const uuid = await waitForPendingRequest();
			endRequest(uuid);
			const { error, json } = await running;
			expect(error).toBeUndefined();
			const [first, second] = [json('Wait'), json('Wait', APPROVED)];
			expect(outcome === 'approved' ? first : second).toEqual([]);
			expect([...first, ...second]).toMatchObject([
				{
					id: uuid,
					outcome,
					message: 'Let robin.castellan@example.com in?',
					waitedSeconds: expect.any(Number),
				},
			]);
		},
	);

	it('a workflow of Create alone outputs the decision if Create waits', async () => {
		const askAndWaitNode = {
			...askNode,
			parameters: { ...(askNode.parameters as object), wait: true, waitLimit: 30 } as never,
		};
		const running = rig.runSequence([enrollNode, askAndWaitNode], [people[0]!]);
		const uuid = await waitForPendingRequest();
		rig.control('decide', { uuid, decision: 'approved' });
		expect((await running).json('Ask', APPROVED)).toMatchObject([
			{ id: uuid, outcome: 'approved' },
		]);
	});
});

it('a workflow verifies a phone number without enrolling a user', async () => {
	const phone = { phoneNumber: '={{ $("Start").item.json.phone }}', outputs: 'one' };
	const startParameters = { ...phone, options: { customCode: '246810' } };
	const { error, json } = await rig.runSequence(
		[
			makeNode('Send', 'phoneVerification', 'start', startParameters),
			makeNode('Wrong', 'phoneVerification', 'check', { ...phone, code: '111111' }),
			makeNode('Right', 'phoneVerification', 'check', { ...phone, code: '246810' }),
			makeNode('Again', 'phoneVerification', 'check', { ...phone, code: '246810' }),
		],
		[{ phone: '+1 202 555 0177' }],
	);
	expect(error).toBeUndefined();
	expect(json('Wrong')).toMatchObject([{ valid: false, reason: 'wrong' }]);
	expect(json('Right')).toMatchObject([{ valid: true }]);
	expect(json('Again')).toMatchObject([{ valid: false, reason: 'nothingPending' }]);
});
