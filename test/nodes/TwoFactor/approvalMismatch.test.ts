// Protects approvals: one counts only for the question that was sent, at the application that sent it.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { findDifference } from '../../../nodes/TwoFactor/approvalRequest/mismatch';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import { adviceOf, DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const { server } = useFakeTwoFactor(rig);
const ID = 'u-1';
const OWN_APPLICATION = 4711;
const MESSAGE = 'Refund 50 € to José?';
const DETAILS = { Amount: '50', Payee: 'José' };
const sentDetails = {
	details: { rows: Object.entries(DETAILS).map(([name, value]) => ({ name, value })) },
};

/** Runs an operation against a service that returns this record at each poll. */
async function runAgainst(operation: string, record: IDataObject, options: IDataObject = {}) {
	server.respondWith(({ method, url }, response) => {
		if (url.endsWith('/app/details')) {
			const app = { app_id: OWN_APPLICATION, name: 'Portal' };
			return sendJson(response, 200, { app, message: 'Details', success: true });
		}
		const approval = method === 'POST' ? { uuid: ID } : { uuid: ID, status: 'approved', ...record };
		return sendJson(response, 200, { approval_request: approval, success: true });
	});
	rig.changeCredential({ baseUrl: server.url });
	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 1 / 3, resumeUnit: 'minutes' },
	};
	return await rig.operate('approvalRequest', operation, {
		uuid: ID,
		twofactorId: DEMO_ID,
		message: MESSAGE,
		...sentDetails,
		wait: true,
		waitLimit: 20,
		simplify: false,
		options: {
			...(operation === 'sendAndWait' ? { limitWaitTime } : { checkEvery: 1 }),
			...options,
		},
	});
}

async function expectNotCounted(run: ReturnType<typeof runAgainst>, trouble: RegExp) {
	const { outputItems, error } = await run;
	expect(error).toBeUndefined();
	expect(outputItems).toMatchObject([
		{ id: ID, outcome: 'stillOutstanding', trouble: expect.stringMatching(trouble) as string },
	]);
	expect(outputItems[0]!.approved).not.toBe(true);
	expect(outputItems[0]!.status).not.toBe('approved');
}

async function expectApproved(run: ReturnType<typeof runAgainst>) {
	const { outputItems, error } = await run;
	expect(error).toBeUndefined();
	expect(outputItems).toMatchObject([{ id: ID, outcome: 'approved' }]);
	expect(outputItems[0]).not.toHaveProperty('trouble');
}

/** Members of a record that belongs to another question, with what `trouble` names. */
const OTHER_QUESTIONS: Array<[IDataObject, RegExp]> = [
	[{ message: 'Refund 5000 € to Mallory?' }, /another message than the one that was sent/],
	[{ message: `${MESSAGE} And more` }, /another message/],
	[{ message: MESSAGE, details: { ...DETAILS, Amount: '5000' } }, /other details \(Amount\)/],
	[{ details: { Amount: '50' } }, /other details \(Payee\)/],
	[{ details: { ...DETAILS, Fee: '9' } }, /other details \(Fee\)/],
	[{ details: { ...DETAILS, Amount: { value: '50' } } }, /other details \(Amount\)/],
];

/** Members of a record that belongs to the question that was sent. */
const SAME_QUESTIONS: IDataObject[] = [
	{},
	{ message: MESSAGE, details: DETAILS },
	{ message: ` ${MESSAGE}\n`, details: { Payee: 'José ', ' Amount': '50' } },
	{ message: MESSAGE.normalize('NFD'), details: { ...DETAILS, Payee: 'José'.normalize('NFD') } },
	{ message: 'Refund 50 €' },
	{ message: 'Refund 50 €…', details: { ...DETAILS, Payee: 'Jo...' } },
	{ details: { ...DETAILS, Amount: 50 } },
	{ details: {} },
	{ message: null, details: null },
	{ hidden_details: { session: 'a81f' } },
];

describe.each(['create', 'sendAndWait'])('%s', (operation) => {
	it.each(OTHER_QUESTIONS)('does not count an approval of %j', async (record, trouble) => {
		await expectNotCounted(runAgainst(operation, record), trouble);
	});

	it.each(SAME_QUESTIONS)('counts an approval of %j', async (record) => {
		await expectApproved(runAgainst(operation, record));
	});

	it('counts a denial of another question', async () => {
		const { outputItems } = await runAgainst(operation, { status: 'denied', message: 'Other?' });
		expect(outputItems).toMatchObject([{ outcome: 'denied' }]);
	});

	it("fails with what differs if 'Fail On' has Still Outstanding", async () => {
		const { outputItems, error } = await runAgainst(
			operation,
			{ message: 'Other?' },
			{ errorOutcomes: ['stillOutstanding'] },
		);
		expect(outputItems).toEqual([]);
		expect(adviceOf(error)).toMatch(/another message than the one that was sent/);
	});
});

describe.each(['create', 'sendAndWait', 'waitForDecision'])('%s', (operation) => {
	it.each([{ _app_serial_id: 9 }, { app_serial_id: '9' }, { app_id: 9 }])(
		'does not count an approval for another application: %j',
		async (record) => {
			await expectNotCounted(runAgainst(operation, record), /another application/);
		},
	);

	it.each([
		{ _app_serial_id: OWN_APPLICATION, app_id: '51d5f1b2c3a4e596078f1a2b' },
		{ app_serial_id: `${OWN_APPLICATION}` },
		{ app_id: '51d5f1b2c3a4e596078f1a2b' },
	])('counts an approval for its own application: %j', async (record) => {
		await expectApproved(runAgainst(operation, record));
	});

	it('does not count an approval without an ID', async () => {
		await expectNotCounted(runAgainst(operation, { uuid: null }), /has no ID/);
	});
});

describe('Wait for Decision', () => {
	const wait = async (record: IDataObject, expectedUser: unknown) =>
		await runAgainst('waitForDecision', record, { expectedUser } as IDataObject);

	it('counts no decision of another user than the expected one', async () => {
		await expectNotCounted(wait({ twofactor_id: 7 }, DEMO_ID), /a different user/);
		await expectNotCounted(wait({ status: 'denied', twofactor_id: 7 }, DEMO_ID), /different user/);
	});

	it('counts the decision of the expected user', async () => {
		await expectApproved(wait({ twofactor_id: Number(DEMO_ID) }, DEMO_ID));
		await expectApproved(wait({ _twofactor_id: DEMO_ID }, Number(DEMO_ID)));
	});

	it.each(['', '={{ undefined }}', 'ada@example.com', '+12025550143'])(
		'fails without a request if the expected user is %j',
		async (expectedUser) => {
			const { outputItems, error } = await wait({}, expectedUser);
			expect(outputItems).toEqual([]);
			expect(error?.message).toMatch(/'Expected User'/);
			expect(server.requests).toEqual([]);
		},
	);

	it('counts a decision of anyone without an expected user, on any question', async () => {
		await expectApproved(
			runAgainst('waitForDecision', { twofactor_id: 7, message: 'Other?', details: { a: 'b' } }),
		);
	});

	it('judges each item by its own expected user', async () => {
		server.respondWith((_, response) =>
			sendJson(response, 200, {
				approval_request: { uuid: ID, status: 'approved', twofactor_id: 7 },
				success: true,
			}),
		);
		rig.changeCredential({ baseUrl: server.url });
		const { outputItems } = await rig.operate(
			'approvalRequest',
			'waitForDecision',
			{
				uuid: ID,
				waitLimit: 20,
				options: { checkEvery: 1, expectedUser: '={{ $json.user }}' },
			},
			[{ user: '7' }, { user: '8' }],
		);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(['approved', 'stillOutstanding']);
	});
});

it('an approval of several people does not count for another question', async () => {
	server.respondWith(({ method, url, body }, response) => {
		const uuid = method === 'POST' ? `u-${url.split('/')[4]}` : url.split('/').at(-1)!;
		const isPost = method === 'POST';
		if (isPost) expect(JSON.parse(body)).toMatchObject({ message: MESSAGE });
		const record = isPost ? { uuid } : { uuid, status: 'approved', message: 'Other?' };
		return sendJson(response, 200, { approval_request: record, success: true });
	});
	rig.changeCredential({ baseUrl: server.url });
	const { outputItems, error } = await rig.operate('approvalRequest', 'sendAndWait', {
		decidedBy: 'severalPeople',
		levels: { level: [{ name: 'Lead', people: '1,2', needed: 'any' }] },
		message: MESSAGE,
		...sentDetails,
	});
	expect(outputItems).toEqual([]);
	expect(error?.message).toMatch(/another message than the one that was sent/);
});

it('a text is equal to itself and to its beginning, in any normalization and with spaces around it', () => {
	const anyText = fc
		.string({ unit: 'grapheme', maxLength: 40 })
		.map((text) => text.replace(/\d/g, 'x'));
	fc.assert(
		fc.property(anyText, fc.nat(40), fc.constantFrom('NFC', 'NFD'), (text, length, form) => {
			const sent = { message: text, details: { Row: text } };
			const cut = [...new Intl.Segmenter().segment(text)]
				.slice(0, length)
				.map(({ segment }) => segment)
				.join('');
			const isLong = cut.normalize('NFC').trim().length >= 10;
			const cuts = isLong ? [cut, `${cut}…`] : [`${cut}…`];
			for (const returned of [text, ` ${text}\t`.normalize(form), ...cuts])
				expect(findDifference({ message: returned, details: { Row: returned } }, sent)).toBe(
					undefined,
				);
		}),
	);
});

it.each([
	['5', '50'],
	['Pay 5', 'Pay 500 euros'],
	['Pay 5…', 'Pay 5,000 euros'],
	['Pay 5', 'Pay 5 000 euros'],
	["Pay 5'", "Pay 5'000 euros"],
])('%s is not the beginning of %s, because it ends within a number', (returned, message) => {
	expect(findDifference({ message: returned }, { message })).toBe('another message');
});

it.each([
	['Pay 500 euros', 'Pay 500 euros to Ada'],
	['Pay…', 'Pay 500 euros'],
])('%s is the beginning of %s', (returned, message) => {
	expect(findDifference({ message: returned }, { message })).toBe(undefined);
});

it.each([
	['Do', 'Do not pay'],
	['P', 'Pay 500 euros'],
])('%s is too short to be the beginning of %s', (returned, message) => {
	expect(findDifference({ message: returned }, { message })).toBe('another message');
});

it('a text that says more than what was sent is another one', () => {
	const anyText = fc.string({ minLength: 1 });
	fc.assert(
		fc.property(anyText, anyText, (text, more) => {
			fc.pre(!text.startsWith(`x${more}`.slice(0, 1)) && more.trim() !== '');
			expect(findDifference({ message: `${text}x${more}` }, { message: text })).toBe(
				'another message',
			);
		}),
	);
});
