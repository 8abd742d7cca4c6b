from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.own_helper import shout

module = AnsibleModule(argument_spec={'word': {'required': True}})
module.exit_json(changed=True, said=shout(module.params['word']))
