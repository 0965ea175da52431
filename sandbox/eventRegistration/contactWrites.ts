import type { FieldProblems } from '../controlError';
import type { Act } from '../deskBus';
import type { Settings } from '../service';
import { checkForm, mergeCustom, normalized } from './checks';
import { fullName, iso } from './records';
import type { Contact, ContactInput } from './records';
import { invalid } from './responses';
import type { ListEntry, Store } from './store';

/** Write operations on contacts, shared by the API and the desk. */
export function contactWrites(store: () => Store, settings: Settings) {
	/** Returns the input as it is stored: in the spelling that was sent, or in one for each type. */
	const toStore = (input: ContactInput): ContactInput => {
		if (settings.storesContacts !== 'normalized') return input;
		const form = new Map(store().contactForm.map((field) => [field.name, field]));
		const spell = (name: string, value = '') => normalized(form.get(name)!, value);
		const { CustomFields, ...fields } = input;
		const texts = Object.entries(fields).map(([name, value]) => [name, spell(name, value)]);
		return {
			...Object.fromEntries(texts),
			...(CustomFields && {
				CustomFields: CustomFields.map(({ Name, Value }) => ({ Name, Value: spell(Name, Value) })),
			}),
		};
	};

	const add = ({ list, partition }: ListEntry, input: ContactInput, act: Act): Contact => {
		const { CustomFields, ...fields } = toStore(input);
		const id = store().newId('contact');
		const contact = {
			ContactId: id,
			Id: String(id),
			...fields,
			CustomFields: mergeCustom([], CustomFields),
			DateAdded: iso(act.now),
			LastUpdated: iso(act.now),
		};
		store().contacts.add(partition, contact);
		list.LastUpdated = iso(act.now);
		return contact;
	};

	/** Publishes one change for all of them: ten thousand single changes would make the desk's list useless. */
	const publishAdded = ({ list }: ListEntry, added: readonly Contact[], act: Act) => {
		const [first, ...others] = added;
		if (!first) return;
		const who = others.length === 0 ? `${fullName(first)} was` : `${added.length} contacts were`;
		store().publish(act, `${who} added to ${list.Name}`, { list });
	};

	return {
		/** Adds all contacts, or only the valid ones, as the settings say; reports the others as invalid. */
		addMany(entry: ListEntry, inputs: readonly ContactInput[], act: Act): void {
			const wrong: FieldProblems = {};
			const good = inputs.filter((input, index) => {
				const rules = { partial: false, prefix: `[${index}].` };
				const state = checkForm(store().contactForm, { ...input }, rules);
				Object.assign(wrong, state);
				return Object.keys(state).length === 0;
			});
			const allGood = good.length === inputs.length;
			if (allGood || settings.addContacts === 'keepGood') {
				const added = good.map((input) => add(entry, input, act));
				publishAdded(entry, added, act);
			}
			if (!allGood) throw invalid(wrong);
		},

		addOne(entry: ListEntry, input: ContactInput, act: Act): Contact {
			const wrong = checkForm(store().contactForm, { ...input }, { partial: false });
			if (Object.keys(wrong).length > 0) throw invalid(wrong);
			const contact = add(entry, input, act);
			publishAdded(entry, [contact], act);
			return contact;
		},

		change({ list }: ListEntry, contact: Contact, input: ContactInput, act: Act): Contact {
			const wrong = checkForm(store().contactForm, { ...input }, { partial: true });
			if (Object.keys(wrong).length > 0) throw invalid(wrong);
			const stored = toStore(input);
			const isReplaced =
				settings.updatesContacts === 'replaceCustom' ||
				(settings.updatesContacts === 'replaceSentCustom' && stored.CustomFields !== undefined);
			const before = isReplaced ? [] : contact.CustomFields;
			const CustomFields = mergeCustom(before, stored.CustomFields);
			Object.assign(contact, stored, { CustomFields, LastUpdated: iso(act.now) });
			store().publish(act, `${fullName(contact)} was changed in ${list.Name}`, { list });
			return contact;
		},

		remove({ list, partition }: ListEntry, contact: Contact, act: Act): void {
			store().contacts.remove(partition, contact.ContactId);
			list.LastUpdated = iso(act.now);
			store().publish(act, `${fullName(contact)} was removed from ${list.Name}`, { list });
		},
	};
}
