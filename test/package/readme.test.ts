// Protects people who install a package: its README names every field and operation, and how n8n allows the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import pack from '../../package.json';
import { packServices } from '../support/pack';

interface Single {
	name: string;
	folder: string;
}

const { createReadme } = jest.requireActual<{
	createReadme: (root: string, single: Single, manifest: object) => string;
}>('../../scripts/packageReadme');
const { singles } = jest.requireActual<{ singles: Single[] }>('../../scripts/singlePackages');

const root = join(__dirname, '../..');

/** Returns the text below a heading of the second level. */
function readSection(text: string, heading: string): string {
	const [, textBelow] = text.split(`\n## ${heading}\n`);
	return textBelow?.split('\n## ')[0] ?? '';
}

describe.each(singles.map((single, index) => ({ single, service: packServices[index]! })))(
	'the README of $single.name',
	({ single, service }) => {
		const text = createReadme(root, single, pack);
		const node = new service.Node().description;
		const trigger = new service.Trigger!().description;
		const credential = new service.Credential();

		it('has all sections in order', () => {
			expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
				'Installation',
				'Credential',
				'First workflow in five steps',
				'Trigger',
				'Example',
				'Operations',
				'Versions',
				'Support',
				'License',
			]);
			expect(text).not.toContain('<!--');
		});

		it('begins with a title and an introduction that name its nodes', () => {
			const [title, introduction] = text.split('\n\n');
			expect(title).toBe(`# ${node.displayName} for n8n`);
			expect(introduction).toContain(`**${node.displayName}**`);
			expect(introduction).toContain(`**${trigger.displayName}**`);
		});

		it('names this package before the pack, and shows how to allow unverified packages', () => {
			const installation = readSection(text, 'Installation');
			expect(installation).toContain(`enter \`${single.name}\``);
			expect(installation).toContain(`npm install ${single.name}`);
			expect(installation.indexOf(single.name)).toBeLessThan(installation.indexOf(pack.name));
			const [, recipe] = /```sh\n(N8N_[\s\S]*?)```/.exec(installation)!;
			expect(recipe).toContain('N8N_UNVERIFIED_PACKAGES_ENABLED=true');
			expect(recipe).toContain(`"name": "${single.name}", "version": "${pack.version}"`);
			expect(installation).toMatch(/n8n 3\.0 .*\(\.\.\/\.\.\/docs\/upgrading\.md#n8n-30\)/);
		});

		it('explains every field of the credential', () => {
			const sectionText = readSection(text, 'Credential');
			expect(sectionText).toContain(`**${credential.displayName}**`);
			for (const { displayName, type } of credential.properties) {
				if (type !== 'notice') expect(sectionText).toContain(`| ${displayName} |`);
			}
		});

		it('has a first workflow of five steps that begins with an action of the node', () => {
			const steps = readSection(text, 'First workflow in five steps').match(/^\d\. .+$/gm)!;
			expect(steps.map((step) => step[0])).toEqual(['1', '2', '3', '4', '5']);
			const actions = node.properties
				.filter(({ name }) => name === 'operation')
				.flatMap(({ options = [] }) =>
					options.map((option) => ('action' in option ? option.action : '')),
				);
			const [, action] = /then _([^_]+)_\.$/.exec(steps[0])!;
			expect(actions).toContain(action);
		});

		it('names the trigger', () => {
			expect(readSection(text, 'Trigger')).toContain(`**${trigger.displayName}**`);
		});

		it('names the example file and its workflow', () => {
			const example = readFileSync(join(root, single.folder, 'example.json'), 'utf8');
			const { name } = JSON.parse(example) as { name: string };
			expect(readSection(text, 'Example')).toContain('`example.json`');
			expect(readSection(text, 'Example')).toContain(`**${name}**`);
		});

		it('lists every operation with its description', () => {
			const sectionText = readSection(text, 'Operations');
			const allOperations = Object.values(service.service.resources).flatMap(({ operations }) =>
				Object.values(operations),
			);
			expect(sectionText.match(/^\| /gm)).toHaveLength(allOperations.length + 2);
			for (const { name, description } of allOperations) {
				expect(sectionText).toContain(`| ${name} | ${description.replaceAll('|', '\\|')} |`);
			}
		});

		it('has the table of n8n versions, with only the features of this service', () => {
			const sectionText = readSection(text, 'Versions');
			expect(sectionText).toContain('\n| 2.33 and newer | yes | yes |');
			expect(sectionText).toContain('\n| 1.123 to 2.5 | yes | no (2.20 needed) |');
			const hasWait = JSON.stringify(service.service.resources).includes('"wait');
			expect(sectionText.includes('Waiting')).toBe(hasWait);
			expect(sectionText.includes('Human review')).toBe(single.name.includes('two-factor'));
		});

		it('links to the issue tracker and SECURITY.md', () => {
			expect(readSection(text, 'Support')).toContain(`(${pack.bugs.url})`);
			expect(readSection(text, 'Support')).toContain('SECURITY.md');
		});
	},
);

it("the pack's README names the packages of one service before the pack", () => {
	const install = readSection(readFileSync(join(root, 'README.md'), 'utf8'), 'Install');
	const [firstPackage] = install.match(/n8n-nodes-[a-z-]+/)!;
	expect(singles.map(({ name }) => name)).toContain(firstPackage);
	for (const { name } of singles) {
		expect(install).toContain(`| \`${name}\` |`);
		expect(install.indexOf(name)).toBeLessThan(install.indexOf(pack.name));
	}
});

describe('docs/installing.md', () => {
	const text = readFileSync(join(root, 'docs/installing.md'), 'utf8');

	it('allows unverified packages in each recipe that installs or loads a package', () => {
		const recipes = [...text.matchAll(/```(?:sh|dockerfile)\n([\s\S]*?)```/g)]
			.map(([, recipe]) => recipe!)
			.filter((recipe) => /N8N_COMMUNITY_PACKAGES|^FROM /m.test(recipe));
		expect(recipes).toHaveLength(2);
		for (const recipe of recipes) expect(recipe).toContain('N8N_UNVERIFIED_PACKAGES_ENABLED=true');
		expect(text).toMatch(/n8n 3\.0 .*\(upgrading\.md#n8n-30\)/);
	});

	it('warns that N8N_CUSTOM_EXTENSIONS is not supported', () => {
		expect(text).toMatch(/`N8N_CUSTOM_EXTENSIONS` is not supported: .*`CUSTOM\.\*`/);
	});
});

it('docs/upgrading.md describes n8n with unverified packages disabled', () => {
	const text = readSection(readFileSync(join(root, 'docs/upgrading.md'), 'utf8'), 'n8n 3.0');
	expect(text).toContain('`N8N_UNVERIFIED_PACKAGES_ENABLED=false`');
	expect(text).toContain('no checksum available for … and unverified packages are disabled');
	expect(text).toMatch(/n8n 3\.0.* stop loading/);
});
