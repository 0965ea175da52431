// Protects workflows from a success status that says the opposite, or comes with something other than the requested record:
// neither passes for a result, no refused write is sent again, and an honest response is accepted.
import type { IDataObject } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';

import type { OperationRun } from '../hostile/matrix/cases';
import { runBaseline } from '../hostile/matrix/matrix';
import { checksForApp, isReadOnly, looksUpName } from '../hostile/matrix/oracle';
import { runRepeated } from '../hostile/matrix/run';
import { openSandboxPool } from '../hostile/matrix/sandboxPool';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { FORM_FIELDS, HONEST_MEMBERS, REFUSALS } from '../support/contradictions';
import type { FaultSelector } from '../support/faults/proxy';
import { labelOf } from '../support/samples/sample';
import {
	answerOf,
	faultOf,
	isListResponse,
	recordIdField,
	recordIn,
	runAnswers,
	selectRequests,
} from './answers';
import type { AnsweredRun, Answer, RequestOfRun } from './answers';

// Every operation of the pack gets answers of each kind that applies to it: a share in `npm test`, all in `npm run test:random`.

// An hour: only a test that hangs takes that long, however busy the machine is.
jest.setTimeout(3_600_000);

let pool: SandboxPool;
let baseline: OperationRun[];
beforeAll(async () => {
	pool = await openSandboxPool(8);
	baseline = await runBaseline(pool);
});
afterAll(async () => await pool.close());

const refusals = REFUSALS.map(answerOf);
/** Refusals in place of an object. A read does not accept any of them, whatever they say. */
const bareRefusals = [false, 'The record is locked', [REFUSALS[0], REFUSALS[0]]].map(answerOf);
const describeOutcome = ({ outputItems, error }: OperationRun) =>
	error ? `${error.message} | ${error.description}` : JSON.stringify(outputItems).slice(0, 160);

/** Whether a run reports that the outcome is unknown, in an error or, from an operation that never fails then, in an item. */
const isUncertain = ({ sample, outputItems, error }: OperationRun): boolean =>
	error === undefined
		? sample.outputIfResponseLost !== undefined &&
			outputItems.every((item) =>
				isDeepStrictEqual({ ...item, ...sample.outputIfResponseLost }, item),
			)
		: outputItems.length === 0 && /unclear whether/.test(`${error.description}`);

/** Whether the contract says that an answer rejects the request, so that nothing was done. */
const isRejection = ({ sample: { node }, error, outputItems }: OperationRun): boolean =>
	node === 'twoFactor' && error !== undefined && outputItems.length === 0;

/** Statements that an effect has happened. */
const CLAIM = /carried it out, but|is registered, but|Don't repeat/;

it('no write reports a refusal as done, or sends the request again', async () => {
	const writes = selectRequests(baseline, (entry) => !isReadOnly(entry));
	expect(new Set(writes.map(({ entry }) => entry.operationId)).size).toBeGreaterThanOrEqual(28);
	const answers = [...refusals, ...bareRefusals];
	const wrong = await runAnswers(
		pool,
		writes,
		() => answers,
		({ label, actualRun, entry }) => {
			const times = actualRun.proxied.filter(({ fault }) => fault !== undefined).length;
			const isRight =
				(isUncertain(actualRun) || isRejection(actualRun)) &&
				!CLAIM.test(actualRun.visibleText) &&
				times === 1 &&
				!actualRun.requests.some(({ operationId }) => operationId === entry.operationId);
			return isRight ? [] : [`${label} → ${describeOutcome(actualRun)}`];
		},
	);
	expect({ of: wrong.length, wrong: wrong.flat() }).toEqual({ of: wrong.length, wrong: [] });
});

it('Retry On Fail does not send a refused write again', async () => {
	const writes = selectRequests(
		baseline,
		(entry, { sample }) => !isReadOnly(entry) && sample.node !== 'twoFactor',
	);
	const runs = await pool.runEach(writes, async (rig, { baselineRun, entry, position }) => {
		const { sample } = baselineRun;
		const { proxied } = await runRepeated(rig, pool.proxy, sample, refuseAt(position), {
			isSlow: false,
			// n8n 2.41.1 waits a second if this is 0 (n8n-core, workflow-execute.js).
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		const times = proxied.filter(({ fault }) => fault !== undefined).length;
		return { label: `${labelOf(sample)}, ${entry.operationId}`, times };
	});
	expect(runs.filter(({ times }) => times !== 1)).toEqual([]);
});

/** Refuses the request at a position among the different requests of an operation, as often as it is sent. */
function refuseAt(position: number): FaultSelector {
	const known: string[] = [];
	return ({ method, path }) => {
		const request = `${method} ${path}`;
		if (!known.includes(request)) known.push(request);
		return known.indexOf(request) + 1 === position ? faultOf(answerOf(REFUSALS[0])) : undefined;
	};
}

it('no list passes a refusal for its records', async () => {
	const requests = selectRequests(
		baseline,
		(entry, run) =>
			isReadOnly(entry) && isListResponse(run, entry) && !looksUpName(entry, run.sample.resource),
	);
	// The operations of one list share its code, so one of them stands for all.
	const byList = (ordered: RequestOfRun[]) => [
		...new Map(ordered.map((request) => [listKey(request), request])).values(),
	];
	const [firstPages, lastPages] = [byList([...requests].reverse()), byList(requests)];
	expect(new Set(firstPages.map(({ entry }) => entry.operationId)).size).toBeGreaterThanOrEqual(18);
	expect(await acceptedRefusals(firstPages)).toEqual([]);
	// A list that looks whole is followed by one more read. If that is refused, the records so far are right.
	expect(await acceptedRefusals(lastPages, isUnharmed)).toEqual([]);
});

const isUnharmed = ({ actualRun, baselineRun }: AnsweredRun) =>
	isDeepStrictEqual(actualRun.outputItems, baselineRun.outputItems);

const listKey = ({ baselineRun, entry }: RequestOfRun) =>
	`${baselineRun.sample.node} ${entry.operationId}`;

const acceptedIn = ({ label, actualRun }: AnsweredRun): string[] =>
	actualRun.error && actualRun.outputItems.length === 0
		? []
		: [`${label} → ${describeOutcome(actualRun)}`];

/** Returns the runs that accepted a refusal. */
const acceptedRefusals = async (
	requests: readonly RequestOfRun[],
	isRight: (run: AnsweredRun) => boolean = () => false,
) =>
	(
		await runAnswers(
			pool,
			requests,
			() => refusals,
			(run) => (isRight(run) ? [] : acceptedIn(run)),
		)
	).flat();

/** The requests of the operations that read one record by its ID. */
const singleReads = () =>
	selectRequests(
		baseline,
		(entry, run) =>
			entry.method === 'GET' &&
			isReadOnly(entry) &&
			run.sample.operation === 'get' &&
			recordIdField(run, entry) !== undefined,
	);

it('no read of one record, of a state or of a form passes a refusal for it', async () => {
	const reads = selectRequests(
		baseline,
		(entry, run) =>
			entry.method === 'GET' &&
			isReadOnly(entry) &&
			!isListResponse(run, entry) &&
			!checksForApp(entry, run.sample.resource) &&
			!run.sample.waitsForPerson &&
			!run.sample.handlesItemsTogether,
	);
	expect(reads.length).toBeGreaterThanOrEqual(20);
	expect(await acceptedRefusals(reads)).toEqual([]);
});

/** Returns a record with another value for its ID; without one if it is undefined. */
const withId = (record: IDataObject, idField: string, id: unknown): IDataObject => {
	const rest = Object.fromEntries(
		Object.entries(record).filter(([name]) => name !== idField && name !== 'Id'),
	);
	return id === undefined ? rest : { ...rest, [idField]: id };
};

const anotherId = (id: unknown) => (typeof id === 'number' ? id + 1 : `${String(id)}x`);

it('a read of one record returns the record with the requested ID, or an error that says what came', async () => {
	const reads = singleReads();
	expect(reads).toHaveLength(12);
	const answersTo = ({ baselineRun, entry }: RequestOfRun) => {
		const idField = recordIdField(baselineRun, entry)!;
		const { resource } = baselineRun.sample;
		const another = (body: unknown) =>
			withId(recordIn(body), idField, anotherId(recordIn(body)[idField]));
		const withIdOf = (id: unknown) => (body: unknown) => withId(recordIn(body), idField, id);
		const answers: Array<[description: string, body: unknown]> = [
			['another ID', another],
			['another ID in a list of one', (body: unknown) => [another(body)]],
			['another ID in data', (body: unknown) => ({ data: another(body) })],
			['another ID in a list in data', (body: unknown) => ({ data: [another(body)] })],
			['another ID in its name', (body: unknown) => ({ [resource]: another(body) })],
			['no ID', withIdOf(undefined)],
			['no ID in data', (body: unknown) => ({ data: withIdOf(undefined)(body) })],
			...[null, '', true, {}, [], 1.5].map((id): [string, unknown] => [
				`the ID ${JSON.stringify(id)}`,
				withIdOf(id),
			]),
			['data: null', { data: null }],
			['{}', {}],
			['two records', (body: unknown) => [recordIn(body), recordIn(body)]],
			['an empty list', []],
			['an empty page', { data: [], pagination: { total: 0 } }],
		];
		return answers.map(([description, body]): Answer => ({ description, body }));
	};
	const wrong = await runAnswers(pool, reads, answersTo, (run) =>
		/ answered with .+ \(status 200\), not with the one record/.test(
			`${run.actualRun.error?.message}`,
		)
			? acceptedIn(run)
			: [`${run.label} → ${describeOutcome(run.actualRun)}`],
	);
	expect(wrong.flat()).toEqual([]);
});

it('a read of one record unwraps the record with the requested ID', async () => {
	const answersTo = ({ baselineRun: { sample } }: RequestOfRun): Answer[] => [
		{ description: 'data', body: (body: unknown) => ({ data: recordIn(body) }) },
		{ description: 'its name', body: (body: unknown) => ({ [sample.resource]: recordIn(body) }) },
		{ description: 'a list of one', body: (body: unknown) => [recordIn(body)] },
		{
			description: 'data beside a success',
			body: (body: unknown) => ({ success: true, status: 'success', data: recordIn(body) }),
		},
	];
	await runAnswers(pool, singleReads(), answersTo, ({ label, actualRun, baselineRun }) =>
		expect({ label, error: actualRun.error, items: actualRun.outputItems }).toEqual({
			label,
			error: undefined,
			items: baselineRun.outputItems,
		}),
	);
});

it('a record with its ID stays a record, whatever harmless members it has', async () => {
	const writes = selectRequests(
		baseline,
		(entry, { sample }) => !isReadOnly(entry) && sample.node.startsWith('event'),
	);
	const answers = [
		...HONEST_MEMBERS.map((members) => ({
			description: JSON.stringify(members),
			body: (body: unknown) => ({ ...recordIn(body), ...members }),
		})),
		{
			description: 'a form with the fields Error, Status and Success',
			body: (body: unknown) => ({ ...recordIn(body), CustomFields: FORM_FIELDS }),
		},
		{
			description: 'a person with the name Fault',
			body: (body: unknown) => ({ ...recordIn(body), FirstName: 'Fault', LastName: 'Error' }),
		},
	];
	const wrong = await runAnswers(
		pool,
		[...singleReads(), ...writes],
		() => answers,
		({ label, actualRun, baselineRun }) =>
			actualRun.error || actualRun.outputItems.length !== baselineRun.outputItems.length
				? [`${label} → ${describeOutcome(actualRun)}`]
				: [],
	);
	expect(wrong.flat()).toEqual([]);
});
