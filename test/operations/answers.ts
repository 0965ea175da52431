import type { IDataObject } from 'n8n-workflow';

import type { Schema } from '../../contracts/read';
import type { LoggedRequest } from '../../sandbox/requestLog';
import { requestsOf } from '../hostile/matrix/cases';
import type { OperationRun } from '../hostile/matrix/cases';
import { runCase } from '../hostile/matrix/run';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { contractOperations } from '../support/contracts';
import type { Fault } from '../support/faults/fault';
import { bodyOrSubstitute, sendJson } from '../support/faults/wire';
import { packServices } from '../support/pack';
import { labelOf } from '../support/samples/sample';
import { shareOf } from '../support/share';

/** One request of an operation, and its position among the operation's requests. */
export interface RequestOfRun {
	baselineRun: OperationRun;
	entry: LoggedRequest;
	position: number;
}

/** A body in place of the service's. If it is a function of that body, the service carries the request out first. */
export interface Answer {
	description: string;
	body: unknown;
}

/** Returns the requests of all operations that a test selects. */
export const selectRequests = (
	baseline: readonly OperationRun[],
	isSelected: (entry: LoggedRequest, baselineRun: OperationRun) => boolean,
): RequestOfRun[] =>
	baseline.flatMap((baselineRun) =>
		requestsOf(baselineRun).flatMap((entry, index) =>
			isSelected(entry, baselineRun) ? [{ baselineRun, entry, position: index + 1 }] : [],
		),
	);

/** A run in which one request was answered differently. */
export interface AnsweredRun extends RequestOfRun {
	actualRun: OperationRun;
	label: string;
}

/** Operations in a row that together get every answer: many share the code that reads answers. */
const ANSWER_SHARES = 4;

/**
 * Runs each operation with a share of the answers in place of the response to the selected request. Returns what `read` reads
 * from the runs, and keeps none of them: all runs of a test take hundreds of megabytes.
 */
export async function runAnswers<T>(
	pool: SandboxPool,
	requests: readonly RequestOfRun[],
	answersTo: (request: RequestOfRun) => readonly Answer[],
	read: (run: AnsweredRun) => T,
): Promise<T[]> {
	const cases = requests.flatMap((request, row) =>
		shareOf(answersTo(request), row, ANSWER_SHARES).map((answer) => ({ ...request, answer })),
	);
	return await pool.runEach(cases, async (rig, { answer, ...request }) => {
		const { baselineRun, entry, position } = request;
		const { sample } = baselineRun;
		const actualRun = await runCase(rig, pool.proxy, { sample, fault: faultOf(answer), position });
		const label = `${labelOf(sample)}, ${entry.operationId}: ${answer.description}`;
		return read({ ...request, actualRun, label });
	});
}

/** Returns the fault that puts an answer in place of the service's response. */
export function faultOf({ body, description }: Answer): Fault {
	return {
		name: description,
		description,
		kind: 'wrongBody',
		inject: async (exchange) => {
			if (typeof body !== 'function') return sendJson(exchange, 200, JSON.stringify(body));
			const realBody = `${bodyOrSubstitute(await exchange.sendUpstream())}`;
			sendJson(
				exchange,
				200,
				JSON.stringify((body as (realBody: unknown) => unknown)(JSON.parse(realBody))),
			);
		},
	};
}

/** Names a body by its JSON. */
export const answerOf = (body: unknown): Answer => ({ description: JSON.stringify(body), body });

/** The schema of an operation's success as JSON; undefined if it has none. */
function successSchema(node: string, operationId: string): Schema | undefined {
	const { contract } = packServices.find(({ name }) => name === node)!;
	const { responses } = contractOperations(contract).find(
		(candidate) => candidate.operationId === operationId,
	)!;
	const [, success] = Object.entries(responses).find(([status]) => status < '300')!;
	return success.content?.['application/json']?.schema;
}

/** The schema of one record, where some services answer with a list of one. */
function recordSchema(schema: Schema | undefined): Schema | undefined {
	if (schema?.oneOf) return recordSchema(schema.oneOf[0]);
	return schema?.type === 'object' ? schema : undefined;
}

/** Returns the contract's name for the ID of the record that a request must be answered with; undefined if there is none. */
export const recordIdField = (
	{ sample: { node } }: Pick<OperationRun, 'sample'>,
	{ operationId = '' }: Pick<LoggedRequest, 'operationId'>,
): string | undefined => idFieldOf(node, operationId);

/** Returns the contract's name for the ID in the response to an operation; undefined if the contract promises no record. */
export function idFieldOf(node: string, operationId: string): string | undefined {
	const [first = ''] = recordSchema(successSchema(node, operationId))?.required ?? [];
	return /^(id|[A-Z]\w*Id)$/.test(first) ? first : undefined;
}

/** Whether the contract's response is a list of records, bare or wrapped. */
export function isListResponse(
	{ sample: { node } }: Pick<OperationRun, 'sample'>,
	{ operationId = '' }: Pick<LoggedRequest, 'operationId'>,
): boolean {
	const schema = successSchema(node, operationId);
	const isList = ({ type, maxItems, properties = {} }: Schema): boolean =>
		(type === 'array' && maxItems !== 1) || properties.data?.type === 'array';
	return schema !== undefined && [schema, ...(schema.oneOf ?? [])].some(isList) && !isForm(schema);
}

const isForm = ({ oneOf = [] }: Schema) =>
	oneOf.some(({ additionalProperties }) => typeof additionalProperties === 'object');

/** Returns the record in a response that is the record or a list of one. */
export const recordIn = (body: unknown): IDataObject =>
	(Array.isArray(body) ? body[0] : body) as IDataObject;
