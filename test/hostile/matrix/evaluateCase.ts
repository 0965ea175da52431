import type { IDataObject } from 'n8n-workflow';
import { inspect, isDeepStrictEqual } from 'node:util';

import { USERINFO } from '../../support/faults/catalog';
import { describeCase } from './cases';
import type { Case, BaselineRun, OperationRun } from './cases';
import { expectedResult, isReadOnly, isRepeatable } from './oracle';
import { TRIES, UNWRITABLE, toJson } from './run';

/** End of a case: as without a fault, done but without details, a clear error, an item marked as uncertain, or still waiting. */
export type End = 'correct' | 'incomplete' | 'error' | 'uncertain' | 'waiting';

/** Result of a case, and its problems. */
export interface CaseResult {
	testCase: Case;
	end: End;
	problems: string[];
}

/** Evaluates a case: finds its end and everything that is wrong with it. */
export function evaluateCase(
	testCase: Case,
	operationRun: OperationRun,
	baseline: BaselineRun,
): CaseResult {
	const end = endOf(operationRun, baseline);
	const problems = [
		...(operationRun.timedOut ? ['exceeded all limits'] : []),
		...(operationRun.error ? findErrorProblems(operationRun) : findOutputProblems(operationRun)),
		...findBranchProblems(operationRun, baseline),
		...findEndProblems(testCase, end, operationRun, baseline),
		...findEffectProblems(operationRun, baseline),
		...findSecretProblems(operationRun),
		...(operationRun.visibleText.includes(UNWRITABLE) ? ['n8n cannot store the output'] : []),
		...(operationRun.openConnections > 0
			? [`left ${operationRun.openConnections} connections open`]
			: []),
	];
	return {
		testCase,
		end,
		problems: problems.map((problem) => `${describeCase(testCase)}: ${problem}`),
	};
}

function endOf({ sample, outputItems, error }: OperationRun, baseline: BaselineRun): End {
	if (error) return 'error';
	if (isCorrect(sample, outputItems, baseline)) return 'correct';
	if (isUncertain(sample, outputItems)) return 'uncertain';
	if (sample.waitsForPerson && outputItems.some((item) => item.outcome === 'stillOutstanding'))
		return 'waiting';
	return 'incomplete';
}

/** A read must return its output without a fault; a write, which creates new IDs, the fields that the sample states. */
function isCorrect(
	sample: OperationRun['sample'],
	outputItems: IDataObject[],
	baseline: BaselineRun,
): boolean {
	if (
		outputItems.length !== baseline.outputItems.length ||
		!outputItems.every((item) => hasFields(item, sample.output))
	)
		return false;
	return (
		sample.waitsForPerson === true ||
		!baseline.requests.every(isReadOnly) ||
		isDeepStrictEqual(
			maskVaryingValues(outputItems, sample),
			maskVaryingValues(baseline.outputItems, sample),
		)
	);
}

const isUncertain = (
	{ outputIfResponseLost }: OperationRun['sample'],
	outputItems: IDataObject[],
) =>
	outputIfResponseLost !== undefined &&
	outputItems.length > 0 &&
	outputItems.every((item) => hasFields(item, outputIfResponseLost));

function hasFields(item: IDataObject, expectedFields: OperationRun['sample']['output']): boolean {
	if (typeof expectedFields === 'string') return item[expectedFields] !== undefined;
	return Object.entries(expectedFields).every(([name, value]) => item[name] === value);
}

/** Returns the items without the values that differ from run to run: times, tokens and the sample's varying fields. */
function maskVaryingValues(
	outputItems: IDataObject[],
	{ varyingFields = [] }: OperationRun['sample'],
): unknown {
	const text = toJson(outputItems);
	if (text === UNWRITABLE) return text;
	return JSON.parse(text, (name, value: unknown) => {
		if (varyingFields.includes(name)) return 'anything';
		if (typeof value === 'number' && value > 1.6e9 && value < 2.5e9) return 'a time';
		if (typeof value !== 'string') return value;
		if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'a time';
		return /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(value) ? 'a token' : value;
	});
}

/** Technical texts that no error message may contain. */
const RAW =
	/Cannot read|is not a function|is not iterable|undefined|\[object|NaN|\bat \S+:\d+|\bE[A-Z]{5,}\b|JSON at position|Unexpected token|stack|aborted|socket hang up/;

function findErrorProblems({ error, outputItems }: OperationRun): string[] {
	const { name, message, description } = error!;
	const fullMessage = `${message} ${description ?? ''}`;
	return [
		...(/^Node(Api|Operation)Error$/.test(name) ? [] : [`the error is a ${name}: ${message}`]),
		...(/^[A-Z].{12,400}$/s.test(message)
			? []
			: [`the message is not a sentence: ${message.slice(0, 200)}`]),
		...(`${description ?? ''}`.trim() === '' ? [`no advice with the message: ${message}`] : []),
		...(RAW.test(fullMessage.replace(/It failed: .*/s, ''))
			? [`shows raw technical text: ${fullMessage.slice(0, 300)}`]
			: []),
		...(outputItems.length > 0 ? ['an error and output'] : []),
	];
}

const findOutputProblems = ({ outputItems }: OperationRun): string[] =>
	outputItems.length > 0 ? [] : ['neither output nor an error'];

/** Only what the service confirmed leaves by the second output, and no more than without the fault. */
function findBranchProblems(
	{ outputItems, positiveItems }: OperationRun,
	baseline: BaselineRun,
): string[] {
	const isConfirmed = ({ outcome, valid }: IDataObject) => outcome === 'approved' || valid === true;
	const hasTwoOutputs = baseline.positiveItems.length > 0;
	const confirmedCount = hasTwoOutputs ? outputItems.filter(isConfirmed).length : 0;
	return positiveItems.every(isConfirmed) &&
		positiveItems.length === confirmedCount &&
		positiveItems.length <= baseline.positiveItems.length
		? []
		: [`${positiveItems.length} items on the second output: ${toJson(positiveItems)}`];
}

function findEndProblems(
	testCase: Case,
	end: End,
	operationRun: OperationRun,
	baseline: BaselineRun,
): string[] {
	const expectation = expectedResult(testCase, baseline);
	const endsByExpectation: Record<typeof expectation, End[]> = {
		correct: ['correct'],
		error: operationRun.sample.waitsForPerson ? ['error', 'waiting'] : ['error'],
		incomplete: ['correct', 'incomplete', 'error', 'uncertain'],
		uncertain: ['uncertain'],
		uncertainOrError: ['uncertain', 'error'],
		nameOptional: ['correct', 'incomplete'],
		pageOptional: ['correct', 'error'],
		any: ['correct', 'error', 'waiting'],
	};
	// A busy machine may be too slow for the short time limit in the second try too.
	const allowedEnds =
		testCase.fault.isSlow && expectation === 'correct'
			? ['correct', 'error', 'waiting']
			: endsByExpectation[expectation];
	if (allowedEnds.includes(end)) return [];
	const result = operationRun.error
		? `${operationRun.error.message} | ${operationRun.error.description ?? ''}`
		: inspect(operationRun.outputItems, { depth: 3, breakLength: Infinity });
	return [`expected ${expectation}, but ended as ${end}: ${result.slice(0, 400)}`];
}

/** Finds effects that happened twice, requests sent too often, and messages that hide a possible effect. */
function findEffectProblems(
	{ sample, requests, proxied, error, outputItems }: OperationRun,
	baseline: BaselineRun,
): string[] {
	const problems: string[] = [];
	const count = (entries: typeof requests, id?: string) =>
		entries.filter(({ operationId }) => operationId === id).length;
	for (const id of new Set(requests.map(({ operationId }) => operationId))) {
		const entry = requests.find(({ operationId }) => operationId === id)!;
		const usualCount = Math.max(1, count(baseline.requests, id));
		if (!isRepeatable(entry) && count(requests, id) > usualCount) {
			problems.push(`${id} arrived ${count(requests, id)} times`);
		}
	}
	// An approval request goes out even if the service does not say whether the user has the app.
	const isAppCheck = (path: string) =>
		sample.resource === 'approvalRequest' && /\/users\/[^/]+\/status$/.test(path);
	const faultedRequests = proxied.filter(
		({ fault, path }) => fault !== undefined && !isAppCheck(path),
	);
	const waitsForPerson = baseline.sample.waitsForPerson === true;
	if (!waitsForPerson && faultedRequests.length > TRIES)
		problems.push(`was sent ${faultedRequests.length} times`);
	const hasWritten = requests.some((entry) => !isReadOnly(entry) && entry.status! < 300);
	const writes = baseline.requests.filter((entry) => !isReadOnly(entry));
	const reportsSuccess = !error && outputItems.length > 0 && !isUncertain(sample, outputItems);
	if (reportsSuccess && writes.length > 0 && !hasWritten)
		problems.push('reports success without an effect');
	const hasUnrepeatableEffect = requests.some(
		(entry) => !isRepeatable(entry) && entry.status! < 300,
	);
	const message = `${error?.message} ${error?.description}`;
	if (
		error &&
		hasUnrepeatableEffect &&
		!/unclear|may have|all the same|anyway|accepted|taken|same ID/.test(message)
	) {
		problems.push(`does not say that it may have been done: ${message.slice(0, 300)}`);
	}
	return problems;
}

function findSecretProblems({ visibleText, secrets }: OperationRun): string[] {
	return [...secrets, ...USERINFO.split(':')]
		.filter((secret) => visibleText.includes(secret))
		.map((secret) => {
			const index = visibleText.indexOf(secret);
			return `shows a secret: …${visibleText.slice(Math.max(0, index - 120), index + 20)}…`;
		});
}
