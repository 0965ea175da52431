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

/** Whether a request may be sent again after a lost response, by rules that do not depend on the pack's definitions. */
export function isRepeatable({ method, operationId = '' }: LoggedRequest): boolean {
	if (method === 'HEAD') return true;
	if (method === 'GET') return !GETS_WITH_EFFECT.includes(operationId);
	if (method === 'PUT') return operationId !== 'replaceRegistrationOptions';
	if (method === 'DELETE') return operationId !== 'revokeKeyByContact';
	return method === 'POST' && operationId.startsWith('search');
}

/** Whether a request changes nothing. */
export const isReadOnly = (entry: LoggedRequest): boolean =>
	isRepeatable(entry) && entry.method !== 'PUT' && entry.method !== 'DELETE';

/**
 * Expected result of a case:
 * - `correct`: the same as without a fault
 * - `error`: one clear error
 * - `incomplete`: an error, an item without details, or one that says that it is unclear: the service carried the request out
 *   and its response does not describe it
 * - `nameOptional`: the same as without a fault, with or without a name that is looked up at the end; never an error
 * - `pageOptional`: the same as without a fault, since a list that looks whole is followed by one more read, or an error
 * - `uncertain`: an item that says that the response was lost, from an operation that does not fail then
 * - `uncertainOrError`: such an item, or one clear error
 * - `any`: the fault has no effect, or retries may overcome it
 */
export type ExpectedResult =
	| 'correct'
	| 'error'
	| 'incomplete'
	| 'nameOptional'
	| 'pageOptional'
	| 'uncertain'
	| 'uncertainOrError'
	| 'any';

/** Operations whose success is a statement about a person: it must rest on a response. */
const CODE_CHECKS = ['verifyCode', 'checkPhoneVerification'];

/** Returns the expected result of a case, based on the run of the operation without a fault. */
export function expectedResult({ fault, position }: Case, baseline: BaselineRun): ExpectedResult {
	const { sample } = baseline;
	const faultedRequest = requestsOf(baseline)[position === 'always' ? 0 : position - 1]!;
	const isUnaffected = fault.affectsBodyOnly === true && faultedRequest.method === 'HEAD';
	if (isUnaffected) return 'any';
	const failureResult =
		sample.outputIfResponseLost && !isRepeatable(faultedRequest) ? 'uncertainOrError' : 'error';
	if (position === 'always') {
		const permanentResult = expectedIfPermanent(faultedRequest, fault.kind);
		return permanentResult === 'error' ? failureResult : permanentResult;
	}
	if (looksUpName(faultedRequest, sample.resource)) return 'nameOptional';
	// A wait polls again, whatever one poll returned.
	if (sample.waitsForPerson && isReadOnly(faultedRequest)) return 'any';
	if (checksForApp(faultedRequest, sample.resource)) return 'correct';
	const afterFirstPage = isFurtherPage(baseline, faultedRequest) ? 'pageOptional' : failureResult;
	switch (fault.kind) {
		case 'lost':
		case 'failing':
			if (isRepeatable(faultedRequest)) return 'correct';
			return sample.outputIfResponseLost ? 'uncertain' : 'error';
		case 'rateLimited':
			return 'correct';
		case 'wrongBody':
			if (isReadOnly(faultedRequest)) return 'correct';
			return CODE_CHECKS.includes(`${faultedRequest.operationId}`) ? 'error' : 'incomplete';
		default:
			return afterFirstPage;
	}
}

/** Whether a request only looks up a name for an operation on another resource. */
export const looksUpName = ({ operationId }: LoggedRequest, resource: string): boolean =>
	operationId === 'getManyRegistrationTypes' && resource !== 'registrationType';

/** Whether a request reads a list of which another request has read the first page. */
function isFurtherPage(baseline: BaselineRun, faulted: LoggedRequest): boolean {
	const first = requestsOf(baseline).find(
		({ operationId, path }) => operationId === faulted.operationId && path === faulted.path,
	);
	return isReadOnly(faulted) && first !== faulted;
}

/** Whether a request only asks if a user has the app. If the service does not say, the approval request goes out. */
export const checksForApp = ({ operationId }: LoggedRequest, resource: string): boolean =>
	operationId === 'getUserStatus' && resource === 'approvalRequest';

function expectedIfPermanent(request: LoggedRequest, kind: Case['fault']['kind']): ExpectedResult {
	if (kind !== 'wrongBody' || isReadOnly(request)) return 'error';
	return CODE_CHECKS.includes(`${request.operationId}`) ? 'error' : 'incomplete';
}
