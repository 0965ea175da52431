// Protects users from false successes: a response that denies the success, or leaves it open, is recognized.
import { deniesSuccess, hasErrors, leavesSuccessOpen } from '../../../nodes/engine/http/statements';

describe('deniesSuccess', () => {
	it.each([
		[{ success: false }],
		[{ SUCCESS: 'False' }],
		[{ is_success: 'no' }],
		[{ succeeded: 0 }],
		[{ Ok: '0' }],
		[{ success: 'failed' }],
		[{ success: 'N' }],
		[{ status: ' ERROR ' }],
		[{ Status: 'fail' }],
	])('is true for %j, with an ID and without one', (record) => {
		expect([deniesSuccess(record, true), deniesSuccess(record, false)]).toEqual([true, true]);
	});

	it.each([
		[{ error: 'locked' }],
		[{ Errors: { name: ['is missing'] } }],
		[{ errors: [{}, { code: 1 }] }],
		[{ error_code: 'LOCKED' }],
		[{ errorMessage: 'locked' }],
		[{ fault: { faultstring: 'locked' } }],
		[{ ModelState: { Email: ['is not valid'] } }],
		[{ status: 403 }],
		[{ code: '500' }],
		[{ statusCode: 404 }],
		[{ status: 'Failed' }],
		[{ result: 'failure' }],
		[{ hasErrors: true }],
		[{ is_error: 1 }],
		[{ failed: true }],
		[{ err: 'locked' }],
	])('is true for %j only without an ID', (record) => {
		expect([deniesSuccess(record, true), deniesSuccess(record, false)]).toEqual([false, true]);
	});

	it.each([
		[{}],
		[{ success: true }],
		[{ success: null }],
		[{ error: null, errors: [], Fault: {}, exception: '' }],
		[{ error: { code: 0, message: '' } }],
		[{ error: false, errors: 0, errorCode: '0' }],
		[{ error: 'none', errors: 'No errors' }],
		[{ code: 200 }],
		[{ code: 'E42' }],
		[{ code: 4040 }],
		[{ status: 'Confirmed' }],
		[{ status: 'denied' }],
		[{ status: { error: true } }],
		[{ message: 'No errors were found' }],
		[{ name: 'Fault', terror: 'x', unsuccess: false, success_rate: 0 }],
		[{ CustomFields: { Success: false, Error: 'x', Status: 'error' } }],
	])('is false for %j', (record) => {
		expect([deniesSuccess(record, true), deniesSuccess(record, false)]).toEqual([false, false]);
	});
});

it.each([
	[{ id: 1, error: 'locked' }, true],
	[{ id: 1, error: null }, false],
	[{ id: 1, status: 500 }, false],
])('hasErrors of %j is %j', (record, expected) => {
	expect(hasErrors(record)).toBe(expected);
});

describe('leavesSuccessOpen', () => {
	it.each([
		[{ message: 'The record is locked' }],
		[{ Message: 'Back soon', maintenance: true }],
		[{ message: 'The contact was not deleted' }],
		[{ message: "The contact can't be deleted" }],
		[{ message: 'It could not be saved' }],
		[{ message: 'Received' }],
		[{ message: { text: 'locked' } }],
		[{ code: 'E42', message: 'locked' }],
		[{ success: null, message: 'locked' }],
	])('is true for %j, in reads and in writes', (record) => {
		expect([leavesSuccessOpen([record], false), leavesSuccessOpen([record], true)]).toEqual([
			true,
			true,
		]);
	});

	it.each([
		[{ status: 'rejected' }],
		[{ status: 'denied', message: 'Locked' }],
		[{ result: 'invalid' }],
		[{ status: false }],
		[{ success: true, result: false }],
		[{ success: true, status: 'rejected' }],
		[{ deleted: false }],
		[{ Revoked: 'no' }],
	])('is true for %j only in writes', (record) => {
		expect([leavesSuccessOpen([record], false), leavesSuccessOpen([record], true)]).toEqual([
			false,
			true,
		]);
	});

	it.each([
		[{}],
		[{ count: 1 }],
		[{ message: '' }],
		[{ message: 'Contact list 7 was deleted.' }],
		[{ message: 'Saved, without errors' }],
		[{ message: 'Anything', success: true }],
		[{ message: 'Anything', ok: 'yes' }],
		[{ message: 'Anything', status: 'pending' }],
		[{ message: 'Anything', code: 200 }],
		[{ message: 'Anything', code: 'OK' }],
		[{ message: 'Anything', status: 201 }],
	])('is false for %j', (record) => {
		expect([leavesSuccessOpen([record], false), leavesSuccessOpen([record], true)]).toEqual([
			false,
			false,
		]);
	});

	it('a wrapper confirms the record in it', () => {
		expect(leavesSuccessOpen([{ success: true }, { message: 'Refund?' }], true)).toBe(false);
	});
});
