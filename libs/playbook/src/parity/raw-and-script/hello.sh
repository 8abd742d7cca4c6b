#!/bin/bash
echo hello $@
