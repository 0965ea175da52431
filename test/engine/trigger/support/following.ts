import { WorkflowExecute } from 'n8n-core';
import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import type { SandboxOptions } from '../../../../sandbox/server';
import { useSandbox } from '../../../support/sandbox';
import { Host, until } from './host';
import { startBetween } from './interceptor';
import type { Between } from './interceptor';

/** The services whose lists triggers follow. */
type Followed = 'eventData' | 'eventRegistration';

/** Longer than a look of any trigger here is away, and longer than any of them waits while something is wrong. */
const A_WHILE_MS = 25_000;
const LONG_MS = 20 * 60_000;

/** A locator as n8n stores it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A sandbox, and a trigger that follows one of its services, for the tests of a file. */
export function useFollowing(
	service: Followed,
	common: INodeParameters,
	size: SandboxOptions = { registrations: 12 },
) {
	const sandbox = useSandbox(size);
	let host: Host;
	let between: Between | undefined;
	let apiKey: string;
	beforeAll(() => {
		({ apiKey } = sandbox.demo[service]);
	});
	afterEach(async () => {
		sandbox.demo[service].apiKey = apiKey;
		await host.close();
		await between?.close();
		between = undefined;
		sandbox.faultRules.clear();
	});
	const started = () => host.executions.map(({ item }) => item);
	return {
		sandbox,
		started,
		/** A workflow with the trigger, which looks every ten seconds. */
		trigger: (triggerOn: string | string[], parameters: INodeParameters = {}): Host => {
			const options = { pollingInterval: 10, ...(parameters.options as object) };
			host = new Host(sandbox, [
				{
					type: `${service}Trigger`,
					parameters: { triggerOn, ...common, ...parameters, options },
				},
			]);
			return host;
		},
		/** Does something at the event's side. */
		desk: async (action: string, input: IDataObject) =>
			(await sandbox.control(service, action, input)) as IDataObject,
		/** Waits for so many starts in all, and then that there are no more. */
		starts: async (count: number) => {
			await until(
				() => host.executions.length >= count,
				() => ({ started: started(), failed: host.failed, stopped: host.stopped }),
				LONG_MS,
			);
			await delay(A_WHILE_MS);
			expect(started()).toHaveLength(count);
		},
		/** From now on the test answers the trigger in the service's place, where it wants to. */
		answer: async (instead: Between['instead']) => {
			const credential = host.secrets[`${service}Api`]!;
			between ??= await startBetween(`${credential.baseUrl as string}`);
			between.instead = instead;
			credential.baseUrl = between.url;
			return between;
		},
		/** Waits for something to happen, however rarely the trigger looks. */
		sees: async (holds: () => boolean) => await until(holds, () => host.failed, LONG_MS),
		/** Lets some looks pass. */
		aWhile: async () => await delay(A_WHILE_MS),
		/** Executes the step, on n8n's own engine: what comes out, or why not. */
		testRun: async (): Promise<{
			item?: IDataObject;
			error?: IRun['data']['resultData']['error'];
		}> => {
			const workflow = host.workflow();
			const [startNode] = Object.values(workflow.nodes);
			const run = await new WorkflowExecute(host.extras(), 'manual').run({ workflow, startNode });
			const { runData, error } = run.data.resultData;
			return { error, item: runData['Trigger 0']?.[0]?.data?.main?.[0]?.[0]?.json };
		},
	};
}
