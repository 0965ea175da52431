// Protects what the status of a response says about credential and record.
import { ServiceFailure } from '../../../nodes/engine/errors';
import { isCredentialStatus, isGone, isNotFound } from '../../../nodes/engine/http/statuses';

const STATUSES = [undefined, 200, 204, 400, 401, 402, 403, 404, 405, 409, 410, 429, 500];

it('a credential is rejected with 401 and 403 only', () => {
	expect(STATUSES.filter(isCredentialStatus)).toEqual([401, 403]);
});

it('a record does not exist with 404 and 410 only', () => {
	expect(STATUSES.filter((status) => isNotFound({ status }))).toEqual([404, 410]);
});

it.each([404, 410])('a text with status %d does not say that a record is gone', (status) => {
	expect(isGone(new ServiceFailure('no', { status }))).toBe(true);
	expect(isGone(new ServiceFailure('no', { status, isText: true }))).toBe(false);
	expect(isGone({ status, headers: {}, kind: 'json', body: {} })).toBe(true);
	expect(isGone({ status, headers: {}, kind: 'empty' })).toBe(true);
	expect(isGone({ status, headers: {}, kind: 'text', body: 'no' })).toBe(false);
});
