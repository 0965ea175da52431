import type { ICredentialDataDecryptedObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import services from '../../contracts/services.json';
import type { FaultRule } from '../../sandbox/faultRules';
import type { LoggedRequest } from '../../sandbox/requestLog';
import { serviceNames } from '../../sandbox/service';
import type { ServiceName } from '../../sandbox/service';
import { serviceFactories } from '../../sandbox/serviceFactories';
import { onlyReads, repeatable } from '../hostile/matrix/oracle';
import { awaitWithin, useAcceleratedTime } from '../support/fakeClock';
import { samples } from '../support/samples';
import { labelOf, NO_CHANGES } from '../support/samples/sample';
import type { Changes, Sample } from '../support/samples/sample';
import { openedForAll } from '../support/sandbox';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { runNode } from '../support/workflow';
import { changesBetween, serializeRecords } from './changes';
import { meanwhile } from './meanwhile';
import { outputExamples } from './outputExamples';

/** Facts that all operations of a service share. */
export interface Common {
	/** A credential that the service rejects, and the node's error for it. */
	rejectedCredential: ICredentialDataDecryptedObject;
	rejectionPattern: { message: RegExp; advice: RegExp };
	/** Clears the state that the node keeps between executions. */
	forget?: (rig: Rig) => void;
}

/** Result of one run. */
interface OperationRun {
	out: Awaited<ReturnType<typeof runNode>>['out'];
	failed: Awaited<ReturnType<typeof runNode>>['failed'];
	error?: NodeApiError;
	requests: LoggedRequest[];
	/** Observed changes, and those that the sample expects. */
	changed: Required<Changes>;
	wanted: Required<Changes>;
}

/** A way to fail, before or after a request has taken effect. */
type Failure = { where: string } & Required<Pick<FaultRule, 'kind' | 'after'>>;

/** Seconds that a rate-limited service asks to wait. The fake clock skips them. */
const PAUSE = 2;
/** Long enough that accelerated time does not exceed it while a response is in transit. */
const GENEROUS_LIMITS = { tries: 2, longestWait: 10, timeLimit: 300 };
/** Requests with an effect outside the service only: the response to a login goes to the URL that it names. */
const TRACELESS = ['completeLogin'];
const nothing = complete(NO_CHANGES);

/** Runs the tests that every operation must pass, for every sample of a service. */
export function testOperations(
	service: ServiceName,
	{ rejectedCredential: rejected, rejectionPattern: rejection, forget }: Common,
): void {
	const { credential } = services[service];
	const factory = serviceFactories[serviceNames.indexOf(service)]!;
	const own = samples.filter(({ node }) => node === service);
	const fairRuns = new Map<Sample, OperationRun>();
	const rig = openedForAll(
		async () => await openRig({ services: [factory], registrations: 100, contacts: 100 }),
	);
	afterEach(() => expect(rig.sandbox.internalErrors).toEqual([]));
	useAcceleratedTime();

	/** Runs an operation on a fresh sandbox, and reads the service's state before and after. */
	const run = async (
		sample: Sample,
		given: {
			parameters?: INodeParameters;
			credential?: ICredentialDataDecryptedObject;
			faultRule?: Omit<FaultRule, 'service'>;
			node?: object;
		} = {},
	): Promise<OperationRun> => {
		const { sandbox, kit } = rig;
		sandbox.reset();
		forget?.(rig);
		const parameters = { ...(await sample.parameters(rig)), ...given.parameters };
		const wanted = complete(
			typeof sample.changes === 'function' ? await sample.changes(rig, parameters) : sample.changes,
		);
		forget?.(rig);
		sandbox.requestLog.clear();
		if (given.faultRule) sandbox.faultRules.add({ service, ...given.faultRule });
		const before = serializeRecords(sandbox.storedRecords(service));
		const secret = { ...kit.secrets[credential], ...sample.credential?.(rig) };
		const { resource, operation, node } = sample;
		const running = runNode(
			{ ...kit, secrets: { [credential]: { ...secret, ...given.credential } } },
			node,
			{
				resource,
				operation,
				...parameters,
				options: { ...(parameters.options as object), ...GENEROUS_LIMITS },
			},
			[{}],
			given.node,
		);
		const helped = sample.meanwhile
			? meanwhile(running, () => sample.meanwhile!(sandbox))
			: running;
		const { out, failed, error } = await awaitWithin(helped, 120_000);
		return {
			out,
			failed,
			error: error as NodeApiError | undefined,
			requests: sandbox.requestLog.entries(),
			changed: changesBetween(before, serializeRecords(sandbox.storedRecords(service))),
			wanted,
		};
	};

	/** The same without a fault, once for all that is measured by it. */
	const runWithoutFault = async (sample: Sample): Promise<OperationRun> => {
		const known = fairRuns.get(sample) ?? (await run(sample));
		fairRuns.set(sample, known);
		return known;
	};

	const examples = outputExamples(service);
	afterAll(() => examples.save());

	describe.each(own.map((sample) => ({ label: labelOf(sample), sample })))(
		'$label',
		({ sample }) => {
			it('returns the fields that the reference shows', async () => {
				const { out } = await runWithoutFault(sample);
				examples.check(sample, out[0]!);
			});

			it('succeeds, and changes only the expected records', async () => {
				const { out, error, changed, wanted, requests } = await runWithoutFault(sample);
				expect(error).toBeUndefined();
				expect(out).not.toEqual([]);
				const { output } = sample;
				const shown = typeof output === 'string' ? { [output]: expect.anything() } : output;
				for (const item of out) expect(item).toMatchObject(shown);
				expect(changed).toStrictEqual(wanted);
				if (!sample.waits && !sample.handlesItemsTogether) {
					expect(new Set(requests.map(requestOf)).size).toBe(requests.length);
				}
				// A request that is no read must change something, or the sample observes the wrong place.
				const writes = requests.filter(
					(entry) => !onlyReads(entry) && !TRACELESS.includes(`${entry.operationId}`),
				);
				expect(writes.length > 0).toBe(changesSomething(wanted));
			});

			if (!sample.needsNoKey) {
				it('fails at the first request if the key is rejected', async () => {
					const { out, error, changed, requests } = await run(sample, {
						credential: rejected,
					});
					expect(out).toEqual([]);
					expect(error?.message).toMatch(rejection.message);
					expect(error?.description).toMatch(rejection.advice);
					expect(changed).toStrictEqual(nothing);
					expect(requests.map(({ status }) => status)).toEqual([401]);
				});
			}

			const { missingRecord } = sample;
			if (missingRecord !== 'takes no id') {
				it('reports an unknown ID', async () => {
					const { out, failed, error, changed } = await run(sample, {
						parameters: missingRecord.parameters,
						node: { onError: 'continueErrorOutput' },
					});
					expect(error).toBeUndefined();
					expect(changed).toStrictEqual(nothing);
					if (!(missingRecord.expected instanceof RegExp)) {
						expect(out).toEqual([expect.objectContaining(missingRecord.expected)]);
						return;
					}
					expect(out).toEqual([]);
					expect(failed).toHaveLength(1);
					expect(failed[0]!.json.error).toMatch(missingRecord.expected);
					expect(failed[0]!.pairedItem).toEqual({ item: 0 });
				});
			}

			it('waits for the Retry-After of a 429, then takes effect once', async () => {
				const hits = distinct((await runWithoutFault(sample)).requests);
				expect(hits).not.toEqual([]);
				for (const hit of hits) {
					const { out, error, changed, wanted, requests } = await run(sample, {
						faultRule: { operation: hit.operationId, kind: '429', retryAfter: PAUSE, times: 1 },
					});
					expect(error).toBeUndefined();
					expect(out).not.toEqual([]);
					expect(changed).toStrictEqual(wanted);
					const [rejectedOne, next] = sent(requests, hit);
					expect(rejectedOne!.status).toBe(429);
					expect(next!.at - rejectedOne!.at).toBeGreaterThanOrEqual(PAUSE * 1000);
				}
			});

			const failures: Failure[] = [
				{ where: 'the service fails', kind: '503', after: false },
				{ where: 'the service has done it and the answer is lost', kind: 'drop', after: true },
			];
			// A read that was carried out is like one that was not.
			const reported = failures.filter(({ after }) => !(after && reads(sample)));
			it.each(reported)('retries only idempotent requests if $where', async ({ kind, after }) => {
				const usual = await runWithoutFault(sample);
				const hits = distinct(usual.requests).filter((entry) => !(after && onlyReads(entry)));
				expect(hits).not.toEqual([]);
				for (const hit of hits) {
					const { out, error, changed, wanted, requests } = await run(sample, {
						faultRule: { operation: hit.operationId, kind, times: 1, after },
					});
					const times = sent(requests, hit).length;
					if (repeatable(hit)) {
						expect(error).toBeUndefined();
						expect(out).not.toEqual([]);
						expect(changed).toStrictEqual(wanted);
						// A wait asks as often as it takes.
						if (!sample.waits) expect(times).toBe(sent(usual.requests, hit).length + 1);
						continue;
					}
					if (sample.outputIfResponseLost) {
						expect(error).toBeUndefined();
						expect(out).toEqual([expect.objectContaining(sample.outputIfResponseLost)]);
					} else {
						expect(out).toEqual([]);
						expect(error?.description).toContain(
							`It's unclear whether ${sample.effect}, so the request wasn't retried`,
						);
					}
					expect(changed).toStrictEqual(after ? wanted : nothing);
					expect(times).toBe(1);
				}
			});
		},
	);
}

function complete({ added = {}, removed = {}, changed = {} }: Changes): Required<Changes> {
	return { added, removed, changed };
}

const reads = ({ changes }: Sample) => changes === NO_CHANGES;

const changesSomething = (changes: Required<Changes>) =>
	Object.values(changes).some((part) => Object.keys(part).length > 0);

/** Distinguishes a request from others of the same operation. */
const requestOf = ({ method, path, query }: LoggedRequest) => JSON.stringify([method, path, query]);

/** Each kind of request once. */
const distinct = (requests: readonly LoggedRequest[]) => [
	...new Map(requests.map((entry) => [entry.operationId, entry])).values(),
];

const sent = (requests: readonly LoggedRequest[], { operationId }: LoggedRequest) =>
	requests.filter((entry) => entry.operationId === operationId);
