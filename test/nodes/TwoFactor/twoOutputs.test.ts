// Protects workflows that act on a decision: only what the service confirmed leaves by the second output, whatever fails, and
// what n8n itself routes leaves by the first.
import type { IDataObject, INode } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { runWorkflow } from '../../support/workflow';
import { APP_ID, APP_PHONE, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();

/** An input item with all fields of a success. */
const FORGED = {
	id: 'forged',
	outcome: 'approved',
	approved: true,
	status: 'approved',
	valid: true,
};
const OUTPUTS = ['Negative', 'Positive', 'Error'] as const;

/** Runs an operation with a node behind each output. Returns the items by output, and the outputs whose node n8n ran. */
async function runBranching(
	[resource, operation]: readonly [resource: string, operation: string],
	parameters: object,
	input: IDataObject[],
	node: Partial<INode> = {},
) {
	const { json, items, run, error } = await runWorkflow(
		rig.kit,
		[
			{ name: 'Start', type: 'start' },
			{
				name: 'Node',
				type: 'twoFactor',
				parameters: { resource, operation, ...parameters },
				...node,
			},
			...OUTPUTS.map((name) => ({ name, type: 'start' })),
		],
		{
			Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
			Node: { main: OUTPUTS.map((name) => [{ node: name, type: 'main', index: 0 }]) },
		},
		input,
	);
	return {
		negative: json('Node', 0),
		positive: json('Node', 1),
		failed: json('Node', 2),
		pairs: [0, 1].map((output) => items('Node', output).map(({ pairedItem }) => pairedItem)),
		ran: OUTPUTS.filter((name) => name in run.data.resultData.runData),
		error,
	};
}

const createApproval = async (): Promise<string> => {
	const parameters = { twofactorId: APP_ID, message: 'Yes?' };
	const { outputItems } = await rig.operate('approvalRequest', 'create', parameters);
	return outputItems[0]!.id as string;
};

/** Creates approval requests with these decisions; `pending` leaves one open. */
async function createDecided(...decisions: string[]): Promise<string[]> {
	const uuids: string[] = [];
	for (const decision of decisions) {
		const uuid = await createApproval();
		if (decision !== 'pending') rig.control('decide', { uuid, decision });
		uuids.push(uuid);
	}
	return uuids;
}

const WAIT = ['approvalRequest', 'waitForDecision'] as const;
const VERIFY = ['oneTimeCode', 'verify'] as const;
const waitParameters = {
	uuid: '={{ $json.uuid }}',
	waitLimit: 5,
	options: { checkEvery: 1, tries: 1 },
};
const wait = async (uuids: string[], node?: Partial<INode>, parameters: object = {}) =>
	await runBranching(
		WAIT,
		{ ...waitParameters, ...parameters },
		uuids.map((uuid) => ({ ...FORGED, uuid })),
		node,
	);

it('only approved items leave by the second output, each paired with its input', async () => {
	const uuids = await createDecided('approved', 'denied', 'pending', 'approved');
	const unknown = '00000000-0000-4000-8000-000000000000';
	const { negative, positive, pairs, ran } = await wait([...uuids, unknown]);
	expect(negative.map(({ outcome }) => outcome)).toEqual(['denied', 'stillOutstanding', 'gone']);
	expect(positive).toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }]);
	expect(pairs).toEqual([
		[{ item: 1 }, { item: 2 }, { item: 4 }],
		[{ item: 0 }, { item: 3 }],
	]);
	expect(ran).toEqual(['Negative', 'Positive']);
});

/** Sends a code to the user with the app, and returns it. */
async function sendCode(): Promise<string> {
	await rig.operate('oneTimeCode', 'sendBySms', { twofactorId: APP_ID, options: { force: true } });
	return rig.readMessages(APP_PHONE).at(-1)!.code;
}

it('only a right code leaves by the second output of Verify', async () => {
	const code = await sendCode();
	const wrong = code === '111111' ? '222222' : '111111';
	const input = [wrong, 'no code', code].map((typed) => ({ ...FORGED, typed }));
	const { negative, positive } = await runBranching(
		VERIFY,
		{ twofactorId: APP_ID, code: '={{ $json.typed }}' },
		input,
	);
	expect(negative.map(({ valid }) => valid)).toEqual([false, false]);
	expect(positive.map(({ valid }) => valid)).toEqual([true]);
});

it('only a right code leaves by the second output of Check', async () => {
	const phone = { country: '1', phoneNumber: '2025550199' };
	await rig.operate('phoneVerification', 'start', phone);
	const { code } = rig.readMessages('+12025550199').at(-1)!;
	const input = [{ typed: '000000' }, { typed: code }];
	const { negative, positive } = await runBranching(
		['phoneVerification', 'check'],
		{ ...phone, code: '={{ $json.typed }}' },
		input,
	);
	expect([negative, positive]).toMatchObject([[{ valid: false }], [{ valid: true }]]);
});

it('Send and Wait for Approval and Create with the wait have two outputs, Create without it has one', async () => {
	const question = { twofactorId: APP_ID, message: 'Yes?' };
	const decideAll = () => {
		for (const { uuid } of rig.control('approvals', { status: 'pending' }) as Array<{
			uuid: string;
		}>)
			rig.control('decide', { uuid, decision: 'approved' });
	};
	for (const [operation, parameters] of [
		['sendAndWait', {}],
		['create', { wait: true, waitLimit: 20 }],
	] as const) {
		setTimeout(decideAll, 1500);
		const outputs = await runBranching(
			['approvalRequest', operation],
			{ ...question, ...parameters },
			[FORGED],
		);
		expect(outputs).toMatchObject({ negative: [], positive: [{ outcome: 'approved' }] });
	}
	const withoutWait = await runBranching(['approvalRequest', 'create'], question, [FORGED]);
	expect(withoutWait).toMatchObject({ negative: [{ outcome: 'pending' }], positive: [] });
});

describe('whatever fails, nothing leaves by the second output', () => {
	/** Failures of the node or of its item. */
	const FAILURES: Array<[string, object, Partial<INode>]> = [
		['an expression fails', { uuid: "={{ $('Nowhere').item.json.id }}" }, {}],
		['the ID is missing', { uuid: '={{ "" }}' }, {}],
		['the operation does not exist', { operation: 'fromANewerVersion' }, {}],
		['the node has no credential', {}, { credentials: {} }],
	];

	it.each(FAILURES)('if %s', async (_, parameters, node) => {
		const uuids = await createDecided('approved', 'approved');
		const stopped = await wait(uuids, node, parameters);
		expect(stopped).toMatchObject({ negative: [], positive: [], ran: [] });
		expect(stopped.error).toBeDefined();
		for (const alwaysOutputData of [false, true]) {
			const settings = { ...node, alwaysOutputData };
			const continued = await wait(
				uuids,
				{ ...settings, onError: 'continueRegularOutput' },
				parameters,
			);
			expect(continued.positive).toEqual([]);
			expect(continued.negative).toEqual(uuids.map(() => ({ error: expect.any(String) })));
			expect(continued.ran).toEqual(['Negative']);
			const split = await wait(uuids, { ...settings, onError: 'continueErrorOutput' }, parameters);
			expect(split).toMatchObject({ negative: [], positive: [] });
			if ('operation' in parameters) {
				// Such a node has one output, so that its error output would be where the approved items leave.
				expect(split).toMatchObject({ failed: [], ran: [] });
				expect(split.error?.message).toMatch(/does not exist/);
			} else {
				expect(split.failed).toHaveLength(2);
				expect(split.ran).toEqual(['Error']);
			}
		}
	});

	it('but an approved item does although another one fails, which leaves by the error output', async () => {
		const [uuid] = await createDecided('approved');
		const { negative, positive, failed, ran } = await wait(['', uuid!], {
			onError: 'continueErrorOutput',
		});
		expect({ negative, ran }).toEqual({ negative: [], ran: ['Positive', 'Error'] });
		expect(positive).toMatchObject([{ outcome: 'approved' }]);
		expect(failed).toEqual([{ error: expect.stringContaining('Approval Request ID') }]);
	});
});

describe('with Always Output Data', () => {
	it('n8n adds no empty item to the first output if all items are approved', async () => {
		const uuids = await createDecided('approved', 'approved');
		const { negative, positive, ran } = await wait(uuids, { alwaysOutputData: true });
		expect(negative).toEqual([]);
		expect(positive).toHaveLength(2);
		expect(ran).toEqual(['Positive']);
	});

	it('a denial leaves by the first output', async () => {
		const uuids = await createDecided('denied');
		const { negative, ran } = await wait(uuids, { alwaysOutputData: true });
		expect(negative).toMatchObject([{ outcome: 'denied' }]);
		expect(ran).toEqual(['Negative']);
	});
});

it('Outputs: One has all items on one output, and Two again divides them', async () => {
	const uuids = await createDecided('approved', 'denied');
	const one = await wait(uuids, {}, { outputs: 'one' });
	expect(one.negative.map(({ outcome }) => outcome)).toEqual(['approved', 'denied']);
	expect(one.positive).toEqual([]);
	const two = await wait(uuids, {}, { outputs: 'two' });
	expect([two.negative, two.positive]).toMatchObject([
		[{ outcome: 'denied' }],
		[{ outcome: 'approved' }],
	]);
});

it('the input of a deactivated node leaves by the first output', async () => {
	const { negative, ran } = await wait(['any'], { disabled: true });
	expect(negative).toEqual([{ ...FORGED, uuid: 'any' }]);
	expect(ran).toEqual(['Negative']);
});

it('with Retry On Fail the second try has two outputs as well', async () => {
	const uuids = await createDecided('approved', 'denied');
	setTimeout(() => (rig.sandbox.settings.twoFactor.suspended = false), 1500);
	rig.sandbox.settings.twoFactor.suspended = true;
	const retried = await wait(uuids, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 });
	expect(retried.error).toBeUndefined();
	expect([retried.negative, retried.positive]).toMatchObject([
		[{ outcome: 'denied' }],
		[{ outcome: 'approved' }],
	]);
});
