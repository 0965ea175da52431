// Protects the check of the examples: it reports each field and choice that a panel does not offer, and no valid one.
import type { INode, INodeParameters } from 'n8n-workflow';

import { TwoFactor } from '../../nodes/TwoFactor/TwoFactor.node';
import { findParameterProblems } from './parameters';

const { description } = new TwoFactor();
const validParameters: INodeParameters = {
	resource: 'approvalRequest',
	operation: 'create',
	twofactorId: { __rl: true, mode: 'id', value: '100001' },
	message: 'Refund 20?',
	details: { rows: [{ name: 'For', value: 'Dinner' }] },
	options: { expiry: { time: { unit: 'minutes', amount: 5 } } },
};
const findProblems = (changes: INodeParameters) => {
	const parameters = { ...validParameters, ...changes };
	const type = 'n8n-nodes-gatehouse.twoFactor';
	const node: INode = { id: '1', name: 'N', type, typeVersion: 1, position: [0, 0], parameters };
	return findParameterProblems(node, description);
};

test('the parameter check accepts what the panel offers, including expressions', () => {
	expect(findProblems({})).toEqual([]);
	expect(findProblems({ wait: true, waitLimit: 20, message: '={{ $json.question }}' })).toEqual([]);
});

test.each<[string, INodeParameters, RegExp]>([
	['a field that no operation has', { mesage: 'x' }, /^mesage is not shown$/],
	['a field of another operation', { uuid: 'x' }, /^uuid is not shown$/],
	['a field that another one hides', { wait: false, waitLimit: 20 }, /^waitLimit is not shown$/],
	['an option that no operation has', { options: { hurry: true } }, /^options.hurry is not shown$/],
	['a row without that column', { details: { rows: [{ label: 'x' }] } }, /^details.rows.label is/],
	[
		'a choice that is not offered',
		{ options: { expiry: { time: { unit: 'weeks' } } } },
		/^options.expiry.time.unit does not offer weeks$/,
	],
	['an operation that does not exist', { operation: 'crate' }, /operation does not offer crate/],
	['a blank that must be filled in', { message: '' }, /Message.+required/],
])('the parameter check finds %s', (_, changes, expectedMessage) => {
	expect(findProblems(changes)).toEqual(
		expect.arrayContaining([expect.stringMatching(expectedMessage)]),
	);
});
