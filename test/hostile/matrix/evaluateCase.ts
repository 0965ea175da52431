import type { IDataObject } from 'n8n-workflow';
import { inspect, isDeepStrictEqual } from 'node:util';

import { USERINFO } from '../../support/faults/catalog';
import { nameOf } from './cases';
import type { Case, BaselineRun, OperationRun } from './cases';
import { expected, onlyReads, repeatable } from './oracle';
import { TRIES, UNWRITABLE, written } from './run';

/** End of a case: as without a fault, done but without details, a clear error, an item marked as uncertain, or still waiting. */
export type End = 'correct' | 'incomplete' | 'error' | 'uncertain' | 'waiting';

/** Result of a case, and its problems. */
export interface CaseResult {
	of: Case;
	end: End;
	problems: string[];
}

/** Judges a case. */
export function evaluateCase(of: Case, ran: OperationRun, baseline: BaselineRun): CaseResult {
	const end = endOf(ran, baseline);
	const problems = [
		...(ran.timedOut ? ['went on beyond all limits'] : []),
		...(ran.error ? aboutError(ran) : aboutOutput(ran)),
		...aboutEnd(of, end, ran, baseline),
		...aboutEffects(ran, baseline),
		...aboutSecrets(ran),
		...(ran.visibleText.includes(UNWRITABLE) ? ['n8n cannot write down what came out'] : []),
		...(ran.leftOpen > 0 ? [`left ${ran.leftOpen} connections open`] : []),
	];
	return { of, end, problems: problems.map((problem) => `${nameOf(of)}: ${problem}`) };
}

function endOf({ sample, outputItems, error }: OperationRun, baseline: BaselineRun): End {
	if (error) return 'error';
	if (isCorrect(sample, outputItems, baseline)) return 'correct';
	if (isUncertain(sample, outputItems)) return 'uncertain';
	if (sample.waitsForPerson && outputItems.some((item) => item.outcome === 'stillOutstanding'))
		return 'waiting';
	return 'incomplete';
}

/** A read must give what it gives without a fault; a write, which makes new ids, what the sample promises. */
function isCorrect(
	sample: OperationRun['sample'],
	outputItems: IDataObject[],
	baseline: BaselineRun,
): boolean {
	if (
		outputItems.length !== baseline.outputItems.length ||
		!outputItems.every((item) => shows(item, sample.output))
	)
		return false;
	return (
		sample.waitsForPerson === true ||
		!baseline.requests.every(onlyReads) ||
		isDeepStrictEqual(lasting(outputItems, sample), lasting(baseline.outputItems, sample))
	);
}

const isUncertain = (
	{ outputIfResponseLost }: OperationRun['sample'],
	outputItems: IDataObject[],
) =>
	outputIfResponseLost !== undefined &&
	outputItems.length > 0 &&
	outputItems.every((item) => shows(item, outputIfResponseLost));

function shows(item: IDataObject, wanted: OperationRun['sample']['output']): boolean {
	if (typeof wanted === 'string') return item[wanted] !== undefined;
	return Object.entries(wanted).every(([name, value]) => item[name] === value);
}

/** The same without what differs from run to run: times and what is signed. */
function lasting(
	outputItems: IDataObject[],
	{ varyingFields = [] }: OperationRun['sample'],
): unknown {
	const text = written(outputItems);
	if (text === UNWRITABLE) return text;
	return JSON.parse(text, (name, value: unknown) => {
		if (varyingFields.includes(name)) return 'anything';
		if (typeof value === 'number' && value > 1.6e9 && value < 2.5e9) return 'a time';
		if (typeof value !== 'string') return value;
		if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'a time';
		return /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(value) ? 'a token' : value;
	});
}

const RAW =
	/Cannot read|is not a function|is not iterable|undefined|\[object|NaN|\bat \S+:\d+|\bE[A-Z]{5,}\b|JSON at position|Unexpected token|stack|aborted|socket hang up/;

function aboutError({ error, outputItems }: OperationRun): string[] {
	const { name, message, description } = error!;
	const expectedMessage = `${message} ${description ?? ''}`;
	return [
		...(/^Node(Api|Operation)Error$/.test(name) ? [] : [`the error is a ${name}: ${message}`]),
		...(/^[A-Z].{12,400}$/s.test(message) ? [] : [`no sentence: ${message.slice(0, 200)}`]),
		...(`${description ?? ''}`.trim() === '' ? [`no advice beside: ${message}`] : []),
		...(RAW.test(expectedMessage.replace(/It failed: .*/s, ''))
			? [`not in words: ${expectedMessage.slice(0, 300)}`]
			: []),
		...(outputItems.length > 0 ? ['an error and output'] : []),
	];
}

const aboutOutput = ({ outputItems }: OperationRun): string[] =>
	outputItems.length > 0 ? [] : ['neither output nor an error'];

function aboutEnd(of: Case, end: End, ran: OperationRun, baseline: BaselineRun): string[] {
	const wanted = expected(of, baseline);
	const fits: Record<typeof wanted, End[]> = {
		correct: ['correct'],
		error: ran.sample.waitsForPerson ? ['error', 'waiting'] : ['error'],
		incomplete: ['correct', 'incomplete', 'error'],
		uncertain: ['uncertain'],
		uncertainOrError: ['uncertain', 'error'],
		nameOptional: ['correct', 'incomplete'],
		any: ['correct', 'error', 'waiting'],
	};
	// Under so short a time limit a busy machine may be too slow for the second try as well.
	const may =
		of.fault.isSlow && wanted === 'correct' ? ['correct', 'error', 'waiting'] : fits[wanted];
	if (may.includes(end)) return [];
	const came = ran.error
		? `${ran.error.message} | ${ran.error.description ?? ''}`
		: inspect(ran.outputItems, { depth: 3, breakLength: Infinity });
	return [`wanted ${wanted}, ended ${end}: ${came.slice(0, 400)}`];
}

/** No effect twice, nothing sent more often than allowed, and honest words about what may have been done. */
function aboutEffects(
	{ sample, requests, proxied, error, outputItems }: OperationRun,
	baseline: BaselineRun,
): string[] {
	const problems: string[] = [];
	const count = (entries: typeof requests, id?: string) =>
		entries.filter(({ operationId }) => operationId === id).length;
	for (const id of new Set(requests.map(({ operationId }) => operationId))) {
		const entry = requests.find(({ operationId }) => operationId === id)!;
		const usual = Math.max(1, count(baseline.requests, id));
		if (!repeatable(entry) && count(requests, id) > usual) {
			problems.push(`${id} arrived ${count(requests, id)} times`);
		}
	}
	const hit = proxied.filter(({ fault }) => fault !== undefined);
	const waits = baseline.sample.waitsForPerson === true;
	if (!waits && hit.length > TRIES) problems.push(`was sent ${hit.length} times`);
	const done = requests.some((entry) => !onlyReads(entry) && entry.status! < 300);
	const writes = baseline.requests.filter((entry) => !onlyReads(entry));
	const saysDone = !error && outputItems.length > 0 && !isUncertain(sample, outputItems);
	if (saysDone && writes.length > 0 && !done) problems.push('says done and is not');
	const once = requests.some((entry) => !repeatable(entry) && entry.status! < 300);
	const message = `${error?.message} ${error?.description}`;
	if (
		error &&
		once &&
		!/unclear|may have|all the same|anyway|accepted|taken|same ID/.test(message)
	) {
		problems.push(`does not say that it may have been done: ${message.slice(0, 300)}`);
	}
	return problems;
}

function aboutSecrets({ visibleText, secrets }: OperationRun): string[] {
	return [...secrets, ...USERINFO.split(':')]
		.filter((secret) => visibleText.includes(secret))
		.map((secret) => {
			const at = visibleText.indexOf(secret);
			return `shows a secret: …${visibleText.slice(Math.max(0, at - 120), at + 20)}…`;
		});
}
