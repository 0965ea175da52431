import { useAcceleratedTime } from '../../support/fakeClock';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

// A blank expected value would check nothing, yet the output would say `verified`. The item fails before any request.

const rig = useIdentityRig();
const job = 'Zk3fT9aQw1LmX7cVb2Ns';
const BLANK = [
	'',
	'  ',
	null,
	'={{ $json.nothing }}',
	'={{ null }}',
	'={{ " " }}',
	'={{ "" }}',
	'=',
];

const OPTIONS = [
	['Expected Audience', 'expectedAudience'],
	['Expected Issuer', 'expectedIssuer'],
	['Max Age of Answer (Minutes)', 'oldestAnswer'],
] as const;

const expectedMessage = (label: string) => `'${label}' was set but is blank`;

describe.each(OPTIONS)('%s', (label, name) => {
	it.each(['get', 'waitUntilFinished', 'issue'])('a blank value fails %s', async (operation) => {
		for (const blank of BLANK) {
			const { message, description } = await rig.getError('scopeJob', operation, {
				job,
				subject: rig.sandbox.demo.user.fingerprint,
				wait: true,
				options: { [name]: blank },
			});
			expect([blank, message]).toEqual([blank, expectedMessage(label)]);
			expect(description).toMatch(/remove the option.*Nothing was sent/);
		}
		expect(rig.sandbox.requestLog.entries()).toEqual([]);
	});
});

it('a blank Expected Signer fails Login: Complete', async () => {
	const callback = 'https://app.example.com/login/callback';
	for (const blank of BLANK) {
		const options = { expectedSigner: blank };
		const { message } = await rig.getError('login', 'complete', { callback, options });
		expect([blank, message]).toEqual([blank, expectedMessage('Expected Signer')]);
	}
	expect(rig.sandbox.requestLog.entries()).toEqual([]);
});

describe('Expected Subject', () => {
	it.each(['get', 'waitUntilFinished'])(
		'an Expected Subject that evaluates to nothing fails %s',
		async (operation) => {
			for (const blank of BLANK.filter((value) => value !== '' && value !== null)) {
				const { message } = await rig.getError('scopeJob', operation, {
					job,
					expectedSubject: blank,
				});
				expect([blank, message]).toEqual([blank, expectedMessage('Expected Subject')]);
			}
			expect(rig.sandbox.requestLog.entries()).toEqual([]);
		},
	);

	it('an empty Expected Subject accepts anyone, and the output says so, even with Simplify', async () => {
		const id = await rig.issueJob();
		await rig.approve(id);
		for (const operation of ['get', 'waitUntilFinished']) {
			const parameters = { job: id, simplify: true };
			for (const expectedSubject of ['', rig.sandbox.demo.user.fingerprint]) {
				const output = await rig.getOutput('scopeJob', operation, {
					...parameters,
					expectedSubject,
				});
				expect(output).toMatchObject({ verified: true, subjectChecked: expectedSubject !== '' });
			}
		}
	});

	it('a blank Expected Subject fails only its own item', async () => {
		const id = await rig.issueJob();
		await rig.approve(id);
		const { fingerprint } = rig.sandbox.demo.user;
		const input = [{ who: fingerprint }, { who: '' }, {}, { who: null }, { who: fingerprint }];
		const { items } = await rig.operate(
			'scopeJob',
			'get',
			{ job: id, expectedSubject: '={{ $json.who }}' },
			input,
			{ onError: 'continueRegularOutput' },
		);
		const outcomes = items('Node').map(({ json }) => json.error ?? json.verified);
		const failed = [1, 2, 3].map((item) => `${expectedMessage('Expected Subject')} [item ${item}]`);
		expect(outcomes).toEqual([true, ...failed, true]);
	});
});

it('0 in Max Age of Answer still means no limit', async () => {
	const id = await rig.issueJob();
	await rig.approve(id);
	for (const oldestAnswer of [0, '0', '={{ 0 }}']) {
		const output = await rig.getOutput('scopeJob', 'get', { job: id, options: { oldestAnswer } });
		expect(output).toMatchObject({ verified: true });
	}
});

it('the simplified output of Login: Complete says that the subject was checked', async () => {
	const callback = 'https://app.example.com/login/callback';
	expect(await rig.getOutput('login', 'complete', { callback, simplify: true })).toMatchObject({
		verified: true,
		subjectChecked: true,
	});
});
