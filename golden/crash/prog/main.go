// Command prog is the processor that golden/crash kills.
package main

import (
	"github.com/streamwright/streamwright/golden/crash/inputs"
	"github.com/streamwright/streamwright/golden/crash/shop"
	"github.com/streamwright/streamwright/runtime/task"
)

func main() { task.Main(shop.ShopPipeline, inputs.InputsPipeline, inputs.FolderPipeline) }
