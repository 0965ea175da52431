import type { Schema } from '../../contracts/read';
import type { Operation } from '../../nodes/engine/operation';
import { readsOneRecord } from '../../nodes/engine/operationTraits';
import type { LoggedRequest } from '../../sandbox/requestLog';
import { requestsOf } from '../hostile/matrix/cases';
import type { Case, OperationRun } from '../hostile/matrix/cases';
import { inFairWeather } from '../hostile/matrix/matrix';
import { onlyReads } from '../hostile/matrix/oracle';
import { runCase } from '../hostile/matrix/run';
import { openSandboxPool } from '../hostile/matrix/sandboxPool';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { contractOperations } from '../support/contracts';
import type { Fault, InterceptedExchange } from '../support/faults/fault';
import { sendJson, bodyOrSubstitute } from '../support/faults/wire';
import { packServices } from '../support/pack';
import { labelOf } from '../support/samples/sample';
import { pairsOf } from '../tables/walk';

// Well-formed responses of another shape than the contract's. A read of one record returns that record or an error that
// describes the response. A write that was carried out succeeds, since an error would invite repetition.

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

const instead =
	(make: (real: unknown) => unknown) =>
	async (exchange: InterceptedExchange): Promise<void> => {
		const real = `${bodyOrSubstitute(await exchange.sendUpstream())}`;
		sendJson(exchange, 200, JSON.stringify(make(real === '' ? {} : JSON.parse(real))));
	};

/** Shapes, and what an error calls them. */
const SHAPES: Array<{ fault: Fault; came?: string }> = [
	{
		came: 'an empty list',
		fault: { name: 'emptyList', description: '[]', kind: 'hollow', inject: instead(() => []) },
	},
	{
		came: 'nothing',
		fault: {
			name: 'noContent',
			description: '204',
			kind: 'hollow',
			inject: async ({ sendUpstream, response }) => {
				await sendUpstream();
				response.writeHead(204).end();
			},
		},
	},
	{
		came: 'a list of 2 entries',
		fault: {
			name: 'twoRecords',
			description: 'two',
			kind: 'hollow',
			inject: instead((real) => [real, real]),
		},
	},
	{
		came: 'an empty record',
		fault: { name: 'emptyRecord', description: '{}', kind: 'hollow', inject: instead(() => ({})) },
	},
	{
		came: 'an empty list',
		fault: {
			name: 'emptyPage',
			description: 'a page of none',
			kind: 'hollow',
			inject: instead(() => ({ data: [], pagination: { total: 0 } })),
		},
	},
	{
		fault: {
			name: 'listOfOne',
			description: 'a list of one',
			kind: 'hollow',
			inject: instead((real) => [real]),
		},
	},
];

/** Answers that decide about access: in a list they are no answer. */
const STRICT = [
	'createApprovalRequest',
	'getApprovalRequest',
	'verifyCode',
	'checkPhoneVerification',
];
/** Results that are useless without an ID in the response: the error says that it may have been done. */
const NEED_ID = ['issueScopeJob'];

const rowOf = ({ node, resource, operation }: OperationRun['sample']): Operation =>
	packServices.find(({ name }) => name === node)!.service.resources[resource]!.operations[
		operation
	]!;

let lanes: SandboxPool;
let fair: OperationRun[];
beforeAll(async () => {
	lanes = await openSandboxPool(8);
	fair = await inFairWeather(lanes);
}, 240_000);
afterAll(async () => await lanes.close());

/** Runs every sample with every shape in place of the answer to each request that is chosen. */
async function runShapes(chosen: (entry: LoggedRequest, operationRun: OperationRun) => boolean) {
	const cases = fair
		.filter(({ sample }) => !sample.waitsForPerson)
		.flatMap((operationRun) =>
			requestsOf(operationRun).flatMap((entry, index) => {
				const isOne = singleRecordOperations.has(
					`${operationRun.sample.node} ${entry.operationId}`,
				);
				if (!isOne || !chosen(entry, operationRun)) return [];
				return SHAPES.map((shape) => ({ of: operationRun, entry, ...shape, hit: index + 1 }));
			}),
		);
	return await lanes.each(cases, async (rig, { of, fault, hit, ...rest }) => {
		const shapeCase: Case = { sample: of.sample, fault, hit };
		const ran = await runCase(rig, lanes.proxy, shapeCase);
		return { ...rest, of, fault, ran, label: `${labelOf(of.sample)}: ${fault.description}` };
	});
}

it('a read of one record returns that record, or an error that says what was returned', async () => {
	const ran = await runShapes((entry, { sample }) => {
		return onlyReads(entry) && entry.method === 'GET' && readsOneRecord(rowOf(sample));
	});
	expect(new Set(ran.map(({ of }) => labelOf(of.sample))).size).toBeGreaterThanOrEqual(15);
	for (const { label, of, entry, came, ran: did } of ran) {
		const { outputItems, error, requests } = did;
		// A record without fields is one, unless the service says itself whether it has succeeded.
		if (came === 'an empty record') continue;
		if (came === undefined && !STRICT.includes(`${entry.operationId}`)) {
			expect({ label, error, outputItems }).toEqual({
				label,
				error: undefined,
				outputItems: of.outputItems,
			});
			continue;
		}
		expect({ label, outputItems, message: error?.message }).toEqual({
			label,
			outputItems: [],
			message: expect.stringContaining(
				came === undefined ? 'not a single approval request' : `answered with ${came} (status 20`,
			) as string,
		});
		expect(`${error?.description}`).toMatch(/Check /);
		// It is a well-formed answer: asking again would bring the same.
		const times = requests.filter(({ operationId }) => operationId === entry.operationId).length;
		expect({ label, times }).toEqual({ label, times: 1 });
	}
}, 240_000);

it('a successful write succeeds, whatever shape its response has', async () => {
	const ran = await runShapes((entry) => !onlyReads(entry));
	expect(new Set(ran.map(({ entry }) => entry.operationId)).size).toBeGreaterThanOrEqual(20);
	for (const { label, of, entry, came, ran: did } of ran) {
		const { outputItems, error, requests, visibleText } = did;
		const { operationId = '', method } = entry;
		const times = requests.filter((one) => one.operationId === operationId).length;
		expect({ label, times }).toEqual({ label, times: 1 });
		const isUnknown = of.sample.node === 'twoFactor' && came !== undefined;
		const isStrict = came === undefined && STRICT.includes(operationId);
		if (isUnknown || isStrict || (came !== undefined && NEED_ID.includes(operationId))) {
			// This service says itself whether it has succeeded, and only that counts.
			expect({ label, outputItems }).toEqual({ label, outputItems: [] });
			expect(`${error?.description}`).toMatch(/unclear|may have|not verified/);
			continue;
		}
		expect({ label, error: error?.message, items: outputItems.length }).toEqual({
			label,
			error: undefined,
			items: of.outputItems.length,
		});
		for (const item of outputItems) expect(item).not.toHaveProperty('success');
		const isTold = came !== undefined && method !== 'DELETE';
		const hinted = visibleText.includes('The service carried it out, but answered with');
		expect({ label, hinted }).toEqual({ label, hinted: isTold });
		if (came === undefined || of.sample.node !== 'eventData') continue;
		// The record contains the fields that were sent.
		expect(Object.keys(outputItems[0]!).length).toBeGreaterThan(1);
		expect(of.outputItems[0]).toMatchObject(outputItems[0]!);
	}
}, 240_000);

describe.each(packServices)('$name', (part) => {
	it('requests one record exactly where the contract says so', () => {
		const reads = pairsOf(part).filter(
			({ match, operation: { run, runBatch } }) => match.method === 'GET' && !run && !runBatch,
		);
		const plain = reads.filter(({ operation }) => operation.idempotent);
		expect(plain.filter(({ operation }) => readsOneRecord(operation)).map(labelled)).toEqual(
			plain
				.filter(({ match }) => singleRecordOperations.has(`${part.name} ${match.operationId}`))
				.map(labelled),
		);
	});
});

const labelled = ({ label }: { label: string }) => label;
