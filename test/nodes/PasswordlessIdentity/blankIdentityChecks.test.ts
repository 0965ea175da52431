// Protects identity checks from blank values: a blank expected value would check nothing, so it fails before any request.
import { useAcceleratedTime } from '../../support/fakeClock';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
const BLANK_VALUES = [
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

const makeExpectedMessage = (label: string) => `'${label}' was set but is blank`;

describe.each(OPTIONS)('a blank %s', (label, optionName) => {
	it.each(['get', 'waitUntilFinished', 'issue'])(
		'fails %s before any request',
		async (operation) => {
			for (const blank of BLANK_VALUES) {
				const { message, description } = await rig.getError('scopeJob', operation, {
					job: JOB,
					subject: rig.sandbox.demo.user.fingerprint,
					wait: true,
					options: { [optionName]: blank },
				});
				expect([blank, message]).toEqual([blank, makeExpectedMessage(label)]);
				expect(description).toMatch(/remove the option.*Nothing was sent/);
			}
			expect(rig.sandbox.requestLog.entries()).toEqual([]);
		},
	);
});

it('a blank Expected Signer fails Login: Complete before any request', async () => {
	const callback = 'https://app.example.com/login/callback';
	for (const blank of BLANK_VALUES) {
		const options = { expectedSigner: blank };
		const { message } = await rig.getError('login', 'complete', { callback, options });
		expect([blank, message]).toEqual([blank, makeExpectedMessage('Expected Signer')]);
	}
	expect(rig.sandbox.requestLog.entries()).toEqual([]);
});

describe('Expected Subject', () => {
	it.each(['get', 'waitUntilFinished'])(
		'fails %s before any request if its expression returns a blank value',
		async (operation) => {
			for (const blank of BLANK_VALUES.filter((value) => value !== '' && value !== null)) {
				const { message } = await rig.getError('scopeJob', operation, {
					job: JOB,
					expectedSubject: blank,
				});
				expect([blank, message]).toEqual([blank, makeExpectedMessage('Expected Subject')]);
			}
			expect(rig.sandbox.requestLog.entries()).toEqual([]);
		},
	);

	it('accepts any person if it is empty, and the simplified output has subjectChecked: false', async () => {
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

	it('fails only the items for which it is blank', async () => {
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
		const expectedErrors = [1, 2, 3].map((item) =>
			expect.stringContaining(`Row ${item + 1} of 5: ${makeExpectedMessage('Expected Subject')}`),
		);
		expect(outcomes).toEqual([true, ...expectedErrors, true]);
	});
});

it('0 in Max Age of Answer means no limit', async () => {
	const id = await rig.issueJob();
	await rig.approve(id, { iat: 1 });
	for (const oldestAnswer of [0, '0', '={{ 0 }}']) {
		const output = await rig.getOutput('scopeJob', 'get', { job: id, options: { oldestAnswer } });
		expect(output).toMatchObject({ verified: true });
	}
});

it('the simplified output of Login: Complete has subjectChecked: true', async () => {
	const callback = 'https://app.example.com/login/callback';
	expect(await rig.getOutput('login', 'complete', { callback, simplify: true })).toMatchObject({
		verified: true,
		subjectChecked: true,
	});
});
