/** The message of a refusal. It contains no word that a check could take for a success. */
const text = 'The record is locked';

/** Bodies with which services refuse a request despite a success status. None may pass for a success. */
export const REFUSALS: readonly unknown[] = [
	{ success: false, message: text },
	{ success: 'false', message: text },
	{ Success: false, Message: text },
	{ success: 0, message: text },
	{ error: text },
	{ error: { code: 42, message: text } },
	{ errors: [{ message: text }] },
	{ status: 'error', message: text },
	{ status: 500, message: text },
	{ code: 'E42', message: text },
	{ message: text },
	{ IsSuccess: false, ErrorMessage: text },
	{ ok: false, description: text },
	{ Fault: { faultstring: text } },
	{ result: 'fail', reason: 'locked' },
	{ data: null, errors: [{ message: text }] },
	{ success: false, data: [], message: text },
	[{ errorCode: 'LOCKED', message: text }],
	{ maintenance: true, message: 'Back soon' },
];

/** Members that an honest record may have besides its ID. */
export const HONEST_MEMBERS: readonly object[] = [
	{ error: null },
	{ errors: [] },
	{ error: {} },
	{ error: '' },
	{ message: '' },
	{ message: 'Saved' },
	{ message: 'No errors were found' },
	{ code: 200 },
	{ ok: true },
	{ result: 'OK' },
	{ status: 'Confirmed' },
	{ requestId: 'abc' },
	{ _links: { self: '/' } },
];

/** Form fields that the organizer of an event named like members that report a failure. */
export const FORM_FIELDS = [
	{ Name: 'Error', Value: 'Forgot the badge' },
	{ Name: 'Status', Value: 'error' },
	{ Name: 'Success', Value: 'false' },
];
