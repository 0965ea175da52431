// Protects workflows from well-formed responses of another shape: a read returns its record or an error that describes the
// response. A write whose contract promises a record is uncertain without it; any other write succeeds.
import type { Schema } from '../../contracts/read';
import type { Operation } from '../../nodes/engine/operation';
import { readsOneRecord } from '../../nodes/engine/operationTraits';
import type { LoggedRequest } from '../../sandbox/requestLog';
import { requestsOf } from '../hostile/matrix/cases';
import type { Case, OperationRun } from '../hostile/matrix/cases';
import { runBaseline } from '../hostile/matrix/matrix';
import { isReadOnly } from '../hostile/matrix/oracle';
import { runCase } from '../hostile/matrix/run';
import { openSandboxPool } from '../hostile/matrix/sandboxPool';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { contractOperations } from '../support/contracts';
import type { Fault, InterceptedExchange } from '../support/faults/fault';
import { sendJson, bodyOrSubstitute } from '../support/faults/wire';
import { packServices } from '../support/pack';
import { labelOf } from '../support/samples/sample';
import { shareOf } from '../support/share';
import { pairWithContract } from '../tables/walk';
import { idFieldOf, recordIdField } from './answers';

/** Whether a schema is that of one record. Some services answer with a list of one. */
const isOneRecord = ({ type, oneOf, maxItems }: Schema): boolean =>
	type === 'object' ||
	(type === 'array' && maxItems === 1) ||
	(oneOf !== undefined && oneOf.every(isOneRecord));

/** The operations of all contracts that answer with one record as JSON, and nothing else. */
const singleRecordOperations = new Set(
	packServices.flatMap(({ name, contract }) =>
		contractOperations(contract)
			.filter(({ responses }) => {
				const [success] = Object.entries(responses).find(([status]) => status < '300') ?? [];
				const media = Object.entries(responses[success ?? '']?.content ?? {});
				return (
					media.length === 1 && media[0]![0].includes('json') && isOneRecord(media[0]![1].schema)
				);
			})
			.map(({ operationId }) => `${name} ${operationId}`),
	),
);

/** Creates a fault that replaces the body of the real response. */
const respondWith =
	(replaceBody: (realBody: unknown) => unknown) =>
	async (exchange: InterceptedExchange): Promise<void> => {
		const realBody = `${bodyOrSubstitute(await exchange.sendUpstream())}`;
		sendJson(
			exchange,
			200,
			JSON.stringify(replaceBody(realBody === '' ? {} : JSON.parse(realBody))),
		);
	};

/** Shapes of responses. `received` is the name in the error; a shape without it still contains the record. */
const SHAPES: Array<{ fault: Fault; received?: string }> = [
	{
		received: 'an empty list',
		fault: {
			name: 'emptyList',
			description: '[]',
			kind: 'wrongBody',
			inject: respondWith(() => []),
		},
	},
	{
		received: 'nothing',
		fault: {
			name: 'noContent',
			description: '204',
			kind: 'wrongBody',
			inject: async ({ sendUpstream, response }) => {
				await sendUpstream();
				response.writeHead(204).end();
			},
		},
	},
	{
		received: 'a list of 2 entries',
		fault: {
			name: 'twoRecords',
			description: 'two',
			kind: 'wrongBody',
			inject: respondWith((realBody) => [realBody, realBody]),
		},
	},
	{
		received: 'an empty record',
		fault: {
			name: 'emptyRecord',
			description: '{}',
			kind: 'wrongBody',
			inject: respondWith(() => ({})),
		},
	},
	{
		received: 'an empty list',
		fault: {
			name: 'emptyPage',
			description: 'a page of none',
			kind: 'wrongBody',
			inject: respondWith(() => ({ data: [], pagination: { total: 0 } })),
		},
	},
	{
		fault: {
			name: 'listOfOne',
			description: 'a list of one',
			kind: 'wrongBody',
			inject: respondWith((realBody) => [realBody]),
		},
	},
];

/** Operations whose response decides about access. Such a response inside a list is rejected. */
const STRICT_OPERATIONS = [
	'createApprovalRequest',
	'getApprovalRequest',
	'verifyCode',
	'checkPhoneVerification',
];
/** Operations that fail without an ID in the response; the error says that the request may have been carried out. */
const NEED_ID = ['issueScopeJob'];

const operationOf = ({ node, resource, operation }: OperationRun['sample']): Operation =>
	packServices.find(({ name }) => name === node)!.service.resources[resource]!.operations[
		operation
	]!;

let pool: SandboxPool;
let baseline: OperationRun[];
beforeAll(async () => {
	pool = await openSandboxPool(8);
	baseline = await runBaseline(pool);
}, 240_000);
afterAll(async () => await pool.close());

/** Runs every sample with a share of the shapes in place of the response to each selected request. */
async function runShapes(
	isSelected: (entry: LoggedRequest, operationRun: OperationRun) => boolean,
) {
	const requests = baseline
		.filter(({ sample }) => !sample.waitsForPerson)
		.flatMap((baselineRun) =>
			requestsOf(baselineRun)
				.map((entry, index) => ({ baselineRun, entry, position: index + 1 }))
				.filter(
					({ entry }) =>
						singleRecordOperations.has(`${baselineRun.sample.node} ${entry.operationId}`) &&
						isSelected(entry, baselineRun),
				),
		);
	const cases = requests.flatMap((request, row) =>
		shareOf(SHAPES, row).map((shape) => ({ ...request, ...shape })),
	);
	return await pool.runEach(cases, async (rig, { baselineRun, fault, position, ...otherFacts }) => {
		const shapeCase: Case = { sample: baselineRun.sample, fault, position };
		const actualRun = await runCase(rig, pool.proxy, shapeCase);
		return {
			...otherFacts,
			baselineRun,
			fault,
			actualRun,
			label: `${labelOf(baselineRun.sample)}: ${fault.description}`,
		};
	});
}

it('a read of one record returns the record, or an error that names the shape of the response', async () => {
	const shapeRuns = await runShapes((entry, { sample }) => {
		return isReadOnly(entry) && entry.method === 'GET' && readsOneRecord(operationOf(sample));
	});
	expect(
		new Set(shapeRuns.map(({ baselineRun }) => labelOf(baselineRun.sample))).size,
	).toBeGreaterThanOrEqual(15);
	for (const { label, baselineRun, entry, received, actualRun } of shapeRuns) {
		const { outputItems, error, requests } = actualRun;
		if (received === undefined && !STRICT_OPERATIONS.includes(`${entry.operationId}`)) {
			expect({ label, error, outputItems }).toEqual({
				label,
				error: undefined,
				outputItems: baselineRun.outputItems,
			});
			continue;
		}
		expect({ label, outputItems, message: error?.message }).toEqual({
			label,
			outputItems: [],
			message: expect.stringContaining(
				received === undefined
					? 'not a single approval request'
					: `answered with ${received} (status 20`,
			) as string,
		});
		expect(`${error?.description}`).toMatch(/Check /);
		// The response is well-formed, so the node does not repeat the request.
		const requestCount = requests.filter(
			({ operationId }) => operationId === entry.operationId,
		).length;
		expect({ label, times: requestCount }).toEqual({ label, times: 1 });
	}
}, 240_000);

it('a write without the record that its contract promises is uncertain, and any other write succeeds', async () => {
	const shapeRuns = await runShapes((entry) => !isReadOnly(entry));
	expect(new Set(shapeRuns.map(({ entry }) => entry.operationId)).size).toBeGreaterThanOrEqual(20);
	for (const { label, baselineRun, entry, received, actualRun } of shapeRuns) {
		const { outputItems, error, requests, visibleText } = actualRun;
		const { operationId = '', method } = entry;
		const requestCount = requests.filter((request) => request.operationId === operationId).length;
		expect({ label, times: requestCount }).toEqual({ label, times: 1 });
		const isUnknown = baselineRun.sample.node === 'twoFactor' && received !== undefined;
		const isStrict = received === undefined && STRICT_OPERATIONS.includes(operationId);
		const isPromised =
			recordIdField(baselineRun, entry) !== undefined || NEED_ID.includes(operationId);
		if (isUnknown || isStrict || (received !== undefined && isPromised)) {
			if (error === undefined) {
				expect(outputItems).toEqual([
					expect.objectContaining(baselineRun.sample.outputIfResponseLost!),
				]);
				continue;
			}
			expect({ label, outputItems }).toEqual({ label, outputItems: [] });
			expect(`${error.description}`).toMatch(/unclear|may have|not verified/);
			continue;
		}
		expect({ label, error: error?.message, items: outputItems.length }).toEqual({
			label,
			error: undefined,
			items: baselineRun.outputItems.length,
		});
		for (const item of outputItems) expect(item).not.toHaveProperty('success');
		const expectsHint = received !== undefined && method !== 'DELETE';
		const hasHint = visibleText.includes('instead of the record (status 20');
		expect({ label, hinted: hasHint }).toEqual({ label, hinted: expectsHint });
	}
}, 240_000);

describe.each(packServices)('$name', (packService) => {
	it('reads one record exactly in the operations whose contract returns one record', () => {
		const pairsThatRead = pairWithContract(packService).filter(
			({ contractOperation, operation: { run, runBatch } }) =>
				contractOperation.method === 'GET' && !run && !runBatch,
		);
		const idempotentPairs = pairsThatRead.filter(({ operation }) => operation.idempotent);
		expect(
			idempotentPairs.filter(({ operation }) => readsOneRecord(operation)).map(readLabel),
		).toEqual(
			idempotentPairs
				.filter(({ contractOperation }) =>
					singleRecordOperations.has(`${packService.name} ${contractOperation.operationId}`),
				)
				.map(readLabel),
		);
	});

	it('finds the ID of the contract in every promised record, and promises a record if the contract does', () => {
		const pairs = pairWithContract(packService).map(({ label, operation, contractOperation }) => ({
			label,
			operation,
			idField: idFieldOf(packService.name, contractOperation.operationId),
		}));
		const isPromise = ({ operation }: (typeof pairs)[number]) =>
			operation.requiredContent === 'record' || readsOneRecord(operation);
		const promises = pairs.filter(({ idField }) => idField !== undefined);
		expect(promises.filter((pair) => !isPromise(pair)).map(readLabel)).toEqual([]);
		for (const { label, operation, idField } of promises)
			expect([label, operation.identify?.({ [idField!]: 7 })]).toEqual([label, 7]);
		expect(
			pairs
				.filter(({ operation, idField }) => operation.requiredContent === 'record' && !idField)
				.map(readLabel),
		).toEqual([]);
	});
});

const readLabel = ({ label }: { label: string }) => label;
