import type { ICredentialDataDecryptedObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import services from '../../contracts/services.json';
import type { FaultRule } from '../../sandbox/faultRules';
import type { LoggedRequest } from '../../sandbox/requestLog';
import { serviceNames } from '../../sandbox/service';
import type { ServiceName } from '../../sandbox/service';
import { serviceFactories } from '../../sandbox/serviceFactories';
import { isReadOnly, isRepeatable } from '../hostile/matrix/oracle';
import { awaitWithin, useAcceleratedTime } from '../support/fakeClock';
import { samples } from '../support/samples';
import { labelOf, NO_CHANGES } from '../support/samples/sample';
import type { Changes, Sample } from '../support/samples/sample';
import { openForAllTests } from '../support/sandbox';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { runNode } from '../support/workflow';
import { actWhileRunning } from './actWhileRunning';
import { changesBetween, serializeRecords } from './changes';
import { outputExamples } from './outputExamples';

/** Facts that all operations of a service share. */
export interface Common {
	/** A credential that the service rejects, and the node's error for it. */
	rejectedCredential: ICredentialDataDecryptedObject;
	rejectionPattern: { message: RegExp; advice: RegExp };
	/** Clears the state that the node keeps between executions. */
	clearState?: (rig: Rig) => void;
}

/** Result of one run. */
interface OperationRun {
	outputItems: Awaited<ReturnType<typeof runNode>>['outputItems'];
	errorItems: Awaited<ReturnType<typeof runNode>>['errorItems'];
	error?: NodeApiError;
	requests: LoggedRequest[];
	/** Observed changes, and those that the sample expects. */
	actualChanges: Required<Changes>;
	expectedChanges: Required<Changes>;
}

/** A way to fail, before or after a request has taken effect. */
type Failure = { when: string } & Required<Pick<FaultRule, 'kind' | 'afterExecution'>>;

/** Seconds that a rate-limited service asks to wait. The fake clock skips them. */
const PAUSE_S = 2;
/** Long enough that accelerated time does not exceed it while a response is in transit. */
const GENEROUS_LIMITS = { tries: 2, longestWait: 10, timeLimit: 300 };
/** Writes that change no record: the response to a login goes to the URL that the login names. */
const WRITES_WITHOUT_RECORDS = ['completeLogin'];
const noChanges = complete(NO_CHANGES);

/** Runs the tests that every operation must pass, for every sample of a service. */
export function testOperations(
	service: ServiceName,
	{ rejectedCredential, rejectionPattern, clearState }: Common,
): void {
	const { credential } = services[service];
	const factory = serviceFactories[serviceNames.indexOf(service)]!;
	const serviceSamples = samples.filter(({ node }) => node === service);
	const runsWithoutFault = new Map<Sample, OperationRun>();
	const rig = openForAllTests(
		async () => await openRig({ services: [factory], registrations: 100, contacts: 100 }),
	);
	afterEach(() => expect(rig.sandbox.internalErrors).toEqual([]));
	useAcceleratedTime();

	/** Runs an operation on a fresh sandbox, and reads the service's state before and after. */
	const run = async (
		sample: Sample,
		overrides: {
			parameters?: INodeParameters;
			credential?: ICredentialDataDecryptedObject;
			faultRule?: Omit<FaultRule, 'service'>;
			node?: object;
		} = {},
	): Promise<OperationRun> => {
		const { sandbox, kit } = rig;
		sandbox.reset();
		clearState?.(rig);
		const parameters = { ...(await sample.parameters(rig)), ...overrides.parameters };
		const expectedChanges = complete(
			typeof sample.changes === 'function' ? await sample.changes(rig, parameters) : sample.changes,
		);
		clearState?.(rig);
		sandbox.requestLog.clear();
		if (overrides.faultRule) sandbox.faultRules.add({ service, ...overrides.faultRule });
		const before = serializeRecords(sandbox.storedRecords(service));
		const credentialData = { ...kit.credentialData[credential], ...sample.credential?.(rig) };
		const { resource, operation, node } = sample;
		const running = runNode(
			{ ...kit, credentialData: { [credential]: { ...credentialData, ...overrides.credential } } },
			node,
			{
				resource,
				operation,
				...parameters,
				options: { ...(parameters.options as object), ...GENEROUS_LIMITS },
			},
			[{}],
			overrides.node,
		);
		const runWithActor = sample.actMeanwhile
			? actWhileRunning(running, () => sample.actMeanwhile!(sandbox))
			: running;
		const { outputItems, errorItems, error } = await awaitWithin(runWithActor, 120_000);
		return {
			outputItems,
			errorItems,
			error: error as NodeApiError | undefined,
			requests: sandbox.requestLog.entries(),
			actualChanges: changesBetween(before, serializeRecords(sandbox.storedRecords(service))),
			expectedChanges,
		};
	};

	/** Runs a sample without a fault. The result is reused by all cases that compare with it. */
	const runWithoutFault = async (sample: Sample): Promise<OperationRun> => {
		const operationRun = runsWithoutFault.get(sample) ?? (await run(sample));
		runsWithoutFault.set(sample, operationRun);
		return operationRun;
	};

	const examples = outputExamples(service);
	afterAll(() => examples.save());

	describe.each(serviceSamples.map((sample) => ({ label: labelOf(sample), sample })))(
		'$label',
		({ sample }) => {
			it('returns the fields that the reference shows', async () => {
				const { outputItems } = await runWithoutFault(sample);
				examples.check(sample, outputItems[0]!);
			});

			it('succeeds, and changes only the expected records', async () => {
				const { outputItems, error, actualChanges, expectedChanges, requests } =
					await runWithoutFault(sample);
				expect(error).toBeUndefined();
				expect(outputItems).not.toEqual([]);
				const { output } = sample;
				const expectedFields =
					typeof output === 'string' ? { [output]: expect.anything() } : output;
				for (const item of outputItems) expect(item).toMatchObject(expectedFields);
				expect(actualChanges).toStrictEqual(expectedChanges);
				if (!sample.waitsForPerson && !sample.handlesItemsTogether) {
					expect(new Set(requests.map(requestKey)).size).toBe(requests.length);
				}
				// A write must change a record, or the sample does not observe the record that changes.
				const writes = requests.filter(
					(entry) => !isReadOnly(entry) && !WRITES_WITHOUT_RECORDS.includes(`${entry.operationId}`),
				);
				expect(writes.length > 0).toBe(changesSomething(expectedChanges));
			});

			if (!sample.needsNoKey) {
				it('fails after its first request, and changes nothing, if the key is rejected', async () => {
					const { outputItems, error, actualChanges, requests } = await run(sample, {
						credential: rejectedCredential,
					});
					expect(outputItems).toEqual([]);
					expect(error?.message).toMatch(rejectionPattern.message);
					expect(error?.description).toMatch(rejectionPattern.advice);
					expect(actualChanges).toStrictEqual(noChanges);
					expect(requests.map(({ status }) => status)).toEqual([401]);
				});
			}

			const { missingRecord } = sample;
			if (missingRecord !== 'takes no id') {
				it('reports an unknown ID, and changes nothing', async () => {
					const { outputItems, errorItems, error, actualChanges } = await run(sample, {
						parameters: missingRecord.parameters,
						node: { onError: 'continueErrorOutput' },
					});
					expect(error).toBeUndefined();
					expect(actualChanges).toStrictEqual(noChanges);
					if (!(missingRecord.expected instanceof RegExp)) {
						expect(outputItems).toEqual([expect.objectContaining(missingRecord.expected)]);
						return;
					}
					expect(outputItems).toEqual([]);
					expect(errorItems).toHaveLength(1);
					expect(errorItems[0]!.json.error).toMatch(missingRecord.expected);
					expect(errorItems[0]!.pairedItem).toEqual({ item: 0 });
				});
			}

			it('waits for the Retry-After of a 429, then takes effect once', async () => {
				const targets = onePerOperation((await runWithoutFault(sample)).requests);
				expect(targets).not.toEqual([]);
				for (const target of targets) {
					const { outputItems, error, actualChanges, expectedChanges, requests } = await run(
						sample,
						{
							faultRule: {
								operation: target.operationId,
								kind: '429',
								retryAfter: PAUSE_S,
								times: 1,
							},
						},
					);
					expect(error).toBeUndefined();
					expect(outputItems).not.toEqual([]);
					expect(actualChanges).toStrictEqual(expectedChanges);
					const [rejectedRequest, repeatedRequest] = requestsLike(requests, target);
					expect(rejectedRequest!.status).toBe(429);
					expect(repeatedRequest!.at - rejectedRequest!.at).toBeGreaterThanOrEqual(PAUSE_S * 1000);
				}
			});

			const failures: Failure[] = [
				{
					when: 'the service fails before it has carried them out',
					kind: '503',
					afterExecution: false,
				},
				{
					when: 'the service has carried them out and the response is lost',
					kind: 'drop',
					afterExecution: true,
				},
			];
			// A read has no effect, so it makes no difference whether it was carried out.
			const applicableFailures = failures.filter(
				({ afterExecution }) => !(afterExecution && isReadSample(sample)),
			);
			it.each(applicableFailures)(
				'retries only idempotent requests if $when',
				async ({ kind, afterExecution }) => {
					const faultlessRun = await runWithoutFault(sample);
					const targets = onePerOperation(faultlessRun.requests).filter(
						(entry) => !(afterExecution && isReadOnly(entry)),
					);
					expect(targets).not.toEqual([]);
					for (const target of targets) {
						const { outputItems, error, actualChanges, expectedChanges, requests } = await run(
							sample,
							{
								faultRule: { operation: target.operationId, kind, times: 1, afterExecution },
							},
						);
						const requestCount = requestsLike(requests, target).length;
						if (isRepeatable(target)) {
							expect(error).toBeUndefined();
							expect(outputItems).not.toEqual([]);
							expect(actualChanges).toStrictEqual(expectedChanges);
							// A wait polls an unknown number of times.
							if (!sample.waitsForPerson)
								expect(requestCount).toBe(requestsLike(faultlessRun.requests, target).length + 1);
							continue;
						}
						if (sample.outputIfResponseLost) {
							expect(error).toBeUndefined();
							expect(outputItems).toEqual([expect.objectContaining(sample.outputIfResponseLost)]);
						} else {
							expect(outputItems).toEqual([]);
							expect(error?.description).toContain(
								`It's unclear whether ${sample.effect}, so the request wasn't retried`,
							);
						}
						expect(actualChanges).toStrictEqual(afterExecution ? expectedChanges : noChanges);
						expect(requestCount).toBe(1);
					}
				},
			);
		},
	);
}

/** Fills in empty parts. */
function complete({ added = {}, removed = {}, changed = {} }: Changes): Required<Changes> {
	return { added, removed, changed };
}

const isReadSample = ({ changes }: Sample) => changes === NO_CHANGES;

const changesSomething = (changes: Required<Changes>) =>
	Object.values(changes).some((part) => Object.keys(part).length > 0);

/** Returns a text that differs for different requests of one operation. */
const requestKey = ({ method, path, query }: LoggedRequest) =>
	JSON.stringify([method, path, query]);

/** Returns one request of each operation. */
const onePerOperation = (requests: readonly LoggedRequest[]) => [
	...new Map(requests.map((entry) => [entry.operationId, entry])).values(),
];

/** Returns the requests of one operation. */
const requestsLike = (requests: readonly LoggedRequest[], { operationId }: LoggedRequest) =>
	requests.filter((entry) => entry.operationId === operationId);
