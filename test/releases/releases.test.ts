// Protects workflows that people have stored with a release: they run as they are.
import { version } from '../../package.json';
import { serviceNames } from '../../sandbox/service';
import { useAcceleratedTime } from '../support/fakeClock';
import { samples } from '../support/samples';
import { openForAllTests } from '../support/sandbox';
import { openRig } from '../support/sandboxRig';
import { formatNodeName, runStoredNode, runStoredTrigger } from './play';
import { readStoredWorkflow, findLosses, listReleases, START } from './storedWorkflows';

// docs/upgrading.md says what to do when a workflow does not.

useAcceleratedTime();
const rig = openForAllTests(async () => await openRig({ registrations: 100, contacts: 100 }));

it('workflows are stored for this release', () => expect(listReleases()).toContain(version));

describe.each(listReleases())('a workflow of %s', (release) => {
	describe.each(serviceNames)('with the node %s', (service) => {
		const { workflow, expectedOutputs } = readStoredWorkflow(release, service);
		const serviceSamples = samples.filter(({ node }) => node === service);
		const nodeNames = workflow.nodes.map(({ name }) => name).filter((name) => name !== START.name);

		it.each(nodeNames)('runs unchanged: %s', async (name) => {
			const sample = serviceSamples.find((candidate) => formatNodeName(candidate) === name)!;
			const { output, error } = await runStoredNode(rig, sample, workflow.nodes);
			expect(error).toBeUndefined();
			expect(output).not.toEqual([]);
			expect(findLosses(expectedOutputs[name], output[0])).toEqual([]);
		});
	});

	it.each(serviceNames)('is started unchanged by the %s trigger', async (service) => {
		const { workflow, expectedOutputs } = readStoredWorkflow(release, `${service}Trigger`);
		const [trigger] = workflow.nodes;
		const { startCount, item } = await runStoredTrigger(rig, service, trigger!);
		expect(startCount).toBe(1);
		expect(findLosses(expectedOutputs[trigger!.name], item)).toEqual([]);
	});
});
