import { WorkflowExecute } from 'n8n-core';
import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import type { SandboxOptions } from '../../../../sandbox/server';
import { useSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from './host';
import { startInterceptor } from './interceptor';
import type { Interceptor } from './interceptor';

/** The services whose lists triggers follow. */
type FollowedService = 'eventData' | 'eventRegistration';

/** Longer than two polling intervals of any trigger here. */
const TWO_POLLS_MS = 25_000;
/** Longer than any trigger here backs off. */
const MAX_BACKOFF_WAIT_MS = 20 * 60_000;

/** Sets up a sandbox and a trigger that polls the lists of one of its services, for the tests of one file. */
export function useListTrigger(
	service: FollowedService,
	commonParameters: INodeParameters,
	sandboxOptions: SandboxOptions = { registrations: 12 },
) {
	const sandbox = useSandbox(sandboxOptions);
	let host: TriggerHost;
	let interceptor: Interceptor | undefined;
	let apiKey: string;
	beforeAll(() => {
		({ apiKey } = sandbox.demo[service]);
	});
	afterEach(async () => {
		sandbox.demo[service].apiKey = apiKey;
		await host.close();
		await interceptor?.close();
		interceptor = undefined;
		sandbox.faultRules.clear();
	});
	const startedItems = () => host.executions.map(({ item }) => item);
	return {
		sandbox,
		startedItems,
		/** Creates a workflow with the trigger, which polls every ten seconds. */
		createTriggerHost: (
			triggerOn: string | string[],
			parameters: INodeParameters = {},
		): TriggerHost => {
			const options = { pollingInterval: 10, ...(parameters.options as object) };
			host = new TriggerHost(sandbox, [
				{
					type: `${service}Trigger`,
					parameters: { triggerOn, ...commonParameters, ...parameters, options },
				},
			]);
			return host;
		},
		/** Changes data in the sandbox, as the organizer would. */
		performDeskAction: async (action: string, input: IDataObject) =>
			(await sandbox.control(service, action, input)) as IDataObject,
		/** Waits until `count` executions were started in all, then checks that no more follow. */
		expectStarts: async (count: number) => {
			await waitUntil(
				() => host.executions.length >= count,
				() => ({
					startedItems: startedItems(),
					failedExecutions: host.failedExecutions,
					emittedErrors: host.emittedErrors,
				}),
				MAX_BACKOFF_WAIT_MS,
			);
			await delay(TWO_POLLS_MS);
			expect(startedItems()).toHaveLength(count);
		},
		/** Intercepts the requests of the trigger for which `respond` returns a response. */
		interceptRequests: async (respond: Interceptor['respond']) => {
			const credential = host.credentialData[`${service}Api`]!;
			interceptor ??= await startInterceptor(`${credential.baseUrl as string}`);
			interceptor.respond = respond;
			credential.baseUrl = interceptor.url;
			return interceptor;
		},
		/** Waits until a condition is met, even while the trigger backs off. */
		waitUntil: async (isMet: () => boolean) =>
			await waitUntil(isMet, () => host.failedExecutions, MAX_BACKOFF_WAIT_MS),
		/** Lets two polling intervals pass. */
		waitTwoPolls: async () => await delay(TWO_POLLS_MS),
		/** Executes the step on n8n's engine and returns its item or its error. */
		testRun: async (): Promise<{
			item?: IDataObject;
			error?: IRun['data']['resultData']['error'];
		}> => {
			const workflow = host.workflow();
			const [startNode] = Object.values(workflow.nodes);
			const run = await new WorkflowExecute(host.additionalData(), 'manual').run({
				workflow,
				startNode,
			});
			const { runData, error } = run.data.resultData;
			return { error, item: runData['Trigger 0']?.[0]?.data?.main?.[0]?.[0]?.json };
		},
	};
}
