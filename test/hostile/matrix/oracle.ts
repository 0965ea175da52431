import type { LoggedRequest } from '../../../sandbox/requestLog';
import { requestsOf } from './cases';
import type { Case, BaselineRun } from './cases';

/** GETs with an effect: a message goes out, or a code is used up. */
const GETS_WITH_EFFECT = [
	'sendCodeBySms',
	'sendCodeByCall',
	'verifyCode',
	'checkPhoneVerification',
];

/** Whether a request may be sent again when its answer was lost, by the rules that were agreed on and not by the tables. */
export function repeatable({ method, operationId = '' }: LoggedRequest): boolean {
	if (method === 'HEAD') return true;
	if (method === 'GET') return !GETS_WITH_EFFECT.includes(operationId);
	if (method === 'PUT') return operationId !== 'replaceRegistrationOptions';
	if (method === 'DELETE') return operationId !== 'revokeKeyByContact';
	return method === 'POST' && operationId.startsWith('search');
}

/** Whether a request changes nothing. */
export const onlyReads = (entry: LoggedRequest): boolean =>
	repeatable(entry) && entry.method !== 'PUT' && entry.method !== 'DELETE';

/**
 * Expected result of a case:
 * - `correct`: the same as without a fault
 * - `error`: one clear error
 * - `incomplete`: an error, or an item without details: the service carried the request out and its response does not describe it
 * - `nameOptional`: the same as without a fault, or that without a name that is looked up at the end; never an error
 * - `uncertain`: an item that says that the response was lost, from an operation that does not fail then
 * - `uncertainOrError`: such an item, or one clear error
 * - `any`: the fault has no effect, or retries may overcome it
 */
export type Expected =
	'correct' | 'error' | 'incomplete' | 'nameOptional' | 'uncertain' | 'uncertainOrError' | 'any';

/** Operations whose success is a statement about a person: it must rest on a response. */
const CODE_CHECKS = ['verifyCode', 'checkPhoneVerification'];

/** Returns the expected result of a case, based on the run of the operation without a fault. */
export function expected({ fault, hit: at }: Case, baseline: BaselineRun): Expected {
	const { sample } = baseline;
	const hit = requestsOf(baseline)[at === 'always' ? 0 : at - 1]!;
	const unseen = fault.affectsBodyOnly === true && hit.method === 'HEAD';
	if (unseen) return 'any';
	const failed = sample.outputIfResponseLost && !repeatable(hit) ? 'uncertainOrError' : 'error';
	if (at === 'always') {
		const end = lasting(hit, fault.kind);
		return end === 'error' ? failed : end;
	}
	if (looksUpName(hit, sample.resource)) return 'nameOptional';
	// A wait polls again, whatever one poll returned.
	if (sample.waitsForPerson && onlyReads(hit)) return 'any';
	switch (fault.kind) {
		case 'lost':
		case 'failing':
			if (repeatable(hit)) return 'correct';
			return sample.outputIfResponseLost ? 'uncertain' : 'error';
		case 'rateLimited':
			return 'correct';
		case 'hollow':
			if (onlyReads(hit)) return 'correct';
			return CODE_CHECKS.includes(`${hit.operationId}`) ? 'error' : 'incomplete';
		default:
			return failed;
	}
}

/** Whether a request only asks what something is called, for an operation about something else. */
const looksUpName = ({ operationId }: LoggedRequest, resource: string) =>
	operationId === 'getManyRegistrationTypes' && resource !== 'registrationType';

function lasting(hit: LoggedRequest, kind: Case['fault']['kind']): Expected {
	if (kind !== 'hollow' || onlyReads(hit)) return 'error';
	return CODE_CHECKS.includes(`${hit.operationId}`) ? 'error' : 'incomplete';
}
